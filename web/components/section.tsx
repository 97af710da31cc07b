import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  title: string;
  /** One quiet sentence below the title. */
  hint?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ title, hint, children }: SectionProps) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p class="muted">{hint}</p>}
      </header>
      {children}
    </section>
  );
}
