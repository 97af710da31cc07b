export const presets = ['7', '30', '90', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Days as `2026-11-19`, in UTC; an end that is empty is open. */
export interface Range {
  /** Null: two days that somebody chose. */
  preset: Preset | null;
  from: string;
  to: string;
}

const standard: Preset = '30';
const dayMs = 24 * 60 * 60_000;

/** The days of a preset end with that of the newest analysis, which may be of another year. */
export function readRange(params: URLSearchParams, newestAt: string | null): Range {
  const [from, to] = [dayIn(params, 'from'), dayIn(params, 'to')];
  if (from !== '' || to !== '') return { preset: null, from, to };
  const preset = presets.find((known) => known === params.get('days')) ?? standard;
  const end = Date.parse(newestAt ?? '');
  if (preset === 'all' || Number.isNaN(end)) return { preset, from: '', to: '' };
  return { preset, from: dayOf(end - (Number(preset) - 1) * dayMs), to: dayOf(end) };
}

/** Leaves out what is standard, so that links stay short. */
export function writePreset(preset: Preset): URLSearchParams {
  return new URLSearchParams(preset === standard ? {} : { days: preset });
}

export function writeDays(from: string, to: string): URLSearchParams {
  const chosen = Object.entries({ from, to }).filter(([, day]) => day !== '');
  return new URLSearchParams(chosen);
}

/** What the API is asked; both days are included. */
export function toQuery({ from, to }: Range): string {
  return writeDays(from, to).toString();
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function dayIn(params: URLSearchParams, name: string): string {
  const day = params.get(name) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : '';
}
