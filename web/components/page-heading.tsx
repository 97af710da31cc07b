import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageHeadingProps {
  /** Of the browser tab; also the heading, unless `children` show it differently. */
  title: string;
  above?: ComponentChildren;
  children?: ComponentChildren;
}

/** The one h1 of a view. It is there from the first moment, because a navigation moves the focus to it. */
export function PageHeading({ title, above, children }: PageHeadingProps) {
  useEffect(() => {
    document.title = `${title} · Blood pressure cohort`;
  }, [title]);
  return (
    <>
      {above !== undefined && <p class="eyebrow">{above}</p>}
      <h1 tabIndex={-1}>{children ?? title}</h1>
    </>
  );
}
