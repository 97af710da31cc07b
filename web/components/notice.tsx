import type { ComponentChildren } from 'preact';

interface NoticeProps {
  title: string;
  children: ComponentChildren;
  /** A problem is set apart from plain information by its edge and its words. */
  problem?: boolean;
}

export function Notice({ title, children, problem = false }: NoticeProps) {
  return (
    <section class={problem ? 'notice notice-problem' : 'notice'}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
