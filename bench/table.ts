/** One line of the table: what was measured, what it must reach. */
export interface Row {
  what: string;
  measured: number;
  unit: string;
  target: { most: number } | { least: number } | { between: [number, number] } | 'none';
  /** The absolute figures behind it. */
  details: string;
}

export function isReached({ measured, target }: Row): boolean {
  if (target === 'none') return true;
  if ('most' in target) return measured <= target.most;
  if ('least' in target) return measured >= target.least;
  return measured >= target.between[0] && measured <= target.between[1];
}

/** A table in Markdown, as docs/performance.md holds it. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { what, measured, unit, target, details } = row;
    const reached = target === 'none' ? '–' : isReached(row) ? 'yes' : '**no**';
    const figures = [withUnit(measured, unit), formatTarget(target, unit)];
    return `| ${[what, ...figures, reached, details].join(' | ')} |`;
  });
  return ['| what | measured | must reach | reached | figures |', '|---|---|---|---|---|', ...lines]
    .join('\n')
    .concat('\n');
}

function formatTarget(target: Row['target'], unit: string): string {
  if (target === 'none') return '–';
  if ('most' in target) return `≤ ${withUnit(target.most, unit)}`;
  if ('least' in target) return `≥ ${withUnit(target.least, unit)}`;
  const [low, high] = target.between;
  return `${withUnit(low, unit)} to ${withUnit(high, unit)}`;
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? short(value) : `${short(value)} ${unit}`;
}

/** Three digits that mean something. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits =
    Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return String(Number(value.toFixed(digits)));
}
