import type { ComponentChildren } from 'preact';
import { type MeasureName, measureNames, units } from '../analysis/reading.js';
import { measureTitles } from '../chart/chart-words.js';
import { markPath } from '../chart/svg.js';

/** Tells a measure by shape as well as by colour, both as in the drawn charts. */
export function Swatch({ measure }: { measure: MeasureName }) {
  return (
    <svg class={`swatch ${measure}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={markPath(measure, 6, 6, 12)} />
    </svg>
  );
}

interface SectionProps {
  title: string;
  hint?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ title, hint, children }: SectionProps) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {hint !== undefined && <p class="muted">{hint}</p>}
      </header>
      {children}
    </section>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Column<Row> {
  title: ComponentChildren;
  unit?: string;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  name: string;
  id?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** The first column names the rows. With a tab stop, so that arrow keys scroll it where it is wider than a phone. */
export function Table<Row>({ name, id, columns, rows }: TableProps<Row>) {
  return (
    <section class="card scroll-area" id={id} aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, unit }) => (
              <th scope="col">
                {title}
                {unit !== undefined && <small>{unit}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ cell }, index) =>
                index === 0 ? <th scope="row">{cell(row)}</th> : <td>{cell(row)}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function measureColumns<Row>(
  cell: (row: Row, measure: MeasureName) => ComponentChildren,
): Column<Row>[] {
  return measureNames.map((measure) => ({
    title: (
      <>
        <Swatch measure={measure} />
        {`\u00a0${measureTitles[measure]}`}
      </>
    ),
    unit: units[measure],
    cell: (row) => cell(row, measure),
  }));
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="list long">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card notice">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
