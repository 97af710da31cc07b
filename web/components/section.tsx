import type { ComponentChildren } from 'preact';

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
