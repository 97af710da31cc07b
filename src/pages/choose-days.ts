import { DAY_MS } from '../base/utc-time.js';
import type { History } from './stored-analyses.js';

export const presets = ['7', '30', '90', 'all'] as const;
export type Preset = (typeof presets)[number];

/** Days as `2026-11-19`, in UTC; an end that is empty is open. */
export interface Range {
  /** Null: two days that somebody chose. */
  preset: Preset | null;
  from: string;
  to: string;
}

export const standard: Preset = '30';

/** The days of a preset end with that of the newest analysis, which may be of another year. */
export function readRange(query: URLSearchParams, newestAt: string | null): Range {
  const [from, to] = [dayIn(query, 'from'), dayIn(query, 'to')];
  if (from !== '' || to !== '') return { preset: null, from, to };
  const preset = presets.find((known) => known === query.get('days')) ?? standard;
  const end = Date.parse(newestAt ?? '');
  if (preset === 'all' || Number.isNaN(end)) return { preset, from: '', to: '' };
  return { preset, from: dayOf(end - (Number(preset) - 1) * DAY_MS), to: dayOf(end) };
}

/** The analyses of these days; both are included. */
export function chooseDays(history: History, { from, to }: Range): History {
  return history.filter(({ generated_at }) => {
    const day = dayOf(Date.parse(generated_at));
    return day >= from && (to === '' || day <= to);
  });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function dayIn(query: URLSearchParams, name: string): string {
  const day = query.get(name) ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : '';
}
