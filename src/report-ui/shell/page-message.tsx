import type { ComponentChildren } from 'preact';

interface PageMessageProps {
  title: string;
  children?: ComponentChildren;
}

/** A page that has nothing to show but a few words. */
export function PageMessage({ title, children }: PageMessageProps) {
  return (
    <section class="page-message">
      <h1>{title}</h1>
      {children}
    </section>
  );
}
