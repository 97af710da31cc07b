/** Says how far it is; returns what it measured. */
export type Benchmark = (say: (text: string) => void) => Promise<Row[]>;

/** One line of the table: what was measured, what it must reach. */
export interface Row {
  what: string;
  measured: number;
  unit?: string;
  most: number;
  /** The absolute figures behind it. */
  details: string;
}

export function isReached({ measured, most }: Row): boolean {
  return measured <= most;
}

/** A table in Markdown, as docs/performance.md holds it. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { what, measured, unit, most, details } = row;
    const figures = [withUnit(measured, unit), `≤ ${withUnit(most, unit)}`];
    return `| ${[what, ...figures, isReached(row) ? 'yes' : '**no**', details].join(' | ')} |`;
  });
  return ['| what | measured | must reach | reached | figures |', '|---|---|---|---|---|', ...lines]
    .join('\n')
    .concat('\n');
}

function withUnit(value: number, unit = ''): string {
  return `${short(value)} ${unit}`.trim();
}

/** Three digits that mean something. */
export function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
