import type { ComponentChildren } from 'preact';

interface ScrollingTableProps {
  label: string;
  children: ComponentChildren;
}

/** A table that may be wider than a phone: it scrolls, and the page does not. */
export function ScrollingTable({ label, children }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no form, and as a section one landmark too many
    <div
      class="table-scroll"
      data-scrolls
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too
      tabIndex={0}
      aria-label={label}
    >
      <table>{children}</table>
    </div>
  );
}
