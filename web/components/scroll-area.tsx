import type { ComponentChildren } from 'preact';

/** A table that is wider than a phone; with a tab stop, so that arrow keys scroll it too. */
export function ScrollArea({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroll-area" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
