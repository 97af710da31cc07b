import type { ComponentChildren } from 'preact';
import type { MeasureName } from '../analysis/reading.js';
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
  /** One quiet sentence below the title. */
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

/** Names and values. */
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

interface ScrollAreaProps {
  label: string;
  id?: string;
  children: ComponentChildren;
}

/** A table that is wider than a phone; with a tab stop, so that arrow keys scroll it too. */
export function ScrollArea({ label, id, children }: ScrollAreaProps) {
  return (
    <section class="card scroll-area" id={id} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
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

/** Says that something is not there, and what to do. */
export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card notice">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
