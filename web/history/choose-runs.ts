export const presets = ['7', '30', '90', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Days as `2026-11-19`, in UTC as run ids are; an end that is empty is open. */
export interface Range {
  /** Null: two days that somebody chose. */
  preset: Preset | null;
  from: string;
  to: string;
}

const standard: Preset = '30';
const dayMs = 24 * 60 * 60_000;

/** The days of a preset end with the newest run; ids are newest first. */
export function readRange(params: URLSearchParams, runIds: readonly string[]): Range {
  const [from, to] = [dayIn(params, 'from'), dayIn(params, 'to')];
  if (from !== '' || to !== '') return { preset: null, from, to };
  const preset = presets.find((known) => known === params.get('days')) ?? standard;
  const newest = runIds[0]?.replace(/^(\d{4})(\d\d)(\d\d)T.*$/, '$1-$2-$3') ?? '';
  const end = Date.parse(newest);
  if (preset === 'all' || Number.isNaN(end)) return { preset, from: '', to: '' };
  const first = new Date(end - (Number(preset) - 1) * dayMs);
  return { preset, from: first.toISOString().slice(0, newest.length), to: newest };
}

/** Leaves out what is standard, so that links stay short. */
export function writePreset(preset: Preset): URLSearchParams {
  return new URLSearchParams(preset === standard ? {} : { days: preset });
}

export function writeDays(from: string, to: string): URLSearchParams {
  const chosen = Object.entries({ from, to }).filter(([, day]) => day !== '');
  return new URLSearchParams(chosen);
}

/** Both days included. */
export function runsIn(runIds: readonly string[], { from, to }: Range): readonly string[] {
  const [first, last] = [from.replaceAll('-', ''), to.replaceAll('-', '')];
  return runIds.filter((runId) => {
    const day = runId.slice(0, 'yyyymmdd'.length);
    return (first === '' || day >= first) && (last === '' || day <= last);
  });
}

function dayIn(params: URLSearchParams, name: string): string {
  const day = params.get(name) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : '';
}
