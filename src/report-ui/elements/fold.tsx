import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePrinting } from './use-printing.js';

interface FoldProps {
  class?: string;
  summary: ComponentChildren;
  /** Asked for only when it is open: most are never opened. */
  children: () => ComponentChildren;
  openAtFirst?: boolean;
  /** Opens it when it changes to true. */
  wanted?: boolean;
  /** Told when the reader opens or closes it. */
  onFold?: (open: boolean) => void;
}

/** Something that is made when it is unfolded. Opens by itself for printing. */
export function Fold({
  summary,
  children,
  openAtFirst = false,
  wanted = false,
  onFold,
  ...rest
}: FoldProps) {
  const [open, setOpen] = useState(openAtFirst || wanted);
  const printing = usePrinting();
  useEffect(() => {
    if (wanted) setOpen(true);
  }, [wanted]);
  const shown = open || printing;
  return (
    <details
      class={`fold ${rest.class ?? ''}`}
      open={shown}
      onToggle={({ currentTarget }) => {
        if (printing || currentTarget.open === open) return;
        setOpen(currentTarget.open);
        onFold?.(currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {shown && <div class="fold-body">{children()}</div>}
    </details>
  );
}
