import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { counted, exactCount } from './amounts.js';
import { CopyButton } from './copy-button.js';
import { usePrinting } from './media.js';
import { jsonText, textParts, upToAWord } from './text.js';

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

const atFirst = 20_000;
const furtherEachTime = 200_000;
/** What a click on `copy` may cost. */
const longestCopy = 50_000_000;

interface FoldedTextProps {
  /** A text stands as it is, anything else as JSON. */
  value: unknown;
  /** What it is, for those who do not see where it stands. */
  label: string;
}

/** A text of any size: a large one is shown in parts, so that it never freezes the page. */
export function FoldedText({ value, label }: FoldedTextProps) {
  const [limit, setLimit] = useState(atFirst);
  const { text, whole } = useMemo(() => readable(value, limit), [value, limit]);
  const parts = useMemo(() => textParts(text, limit), [text, limit]);
  const shown = parts.reduce((sum, part) => sum + part.length, 0);
  const isAll = whole && shown >= text.length;
  return (
    <div class="folded-text">
      {/* Not a section: a page with hundreds of landmarks has none. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: it is no form */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too */}
      <div class="folded-text-box" role="group" tabIndex={0} aria-label={label}>
        <pre>
          {parts.map((part, place) => (
            <span key={place}>{part}</span>
          ))}
        </pre>
      </div>
      {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
      <div class="folded-text-tools">
        {!isAll && (
          <>
            <span class="quiet">
              {whole
                ? `${exactCount(shown)} of ${counted(text.length, 'character')}`
                : `the first ${counted(shown, 'character')}`}
            </span>
            <button type="button" onClick={() => setLimit(limit + furtherEachTime)}>
              show more
            </button>
          </>
        )}
        <CopyButton text={() => readable(value, longestCopy).text} label={`copy ${label}`} />
      </div>
    </div>
  );
}

function readable(value: unknown, limit: number): { text: string; whole: boolean } {
  return typeof value === 'string' ? { text: value, whole: true } : jsonText(value, limit);
}

const usualLength = 1000;

interface LongTextProps {
  text: string;
  /** What it is, for those who do not see where it stands. */
  label: string;
  /** Characters that are shown at once. */
  atOnce?: number;
}

/** What somebody wrote: short as it is, long with the whole behind a click. */
export function LongText({ text, label, atOnce = usualLength }: LongTextProps) {
  if (text.length <= atOnce) return <p class="said">{text}</p>;
  return (
    <>
      <p class="said">{upToAWord(text, atOnce)} …</p>
      <Fold summary={lengthText(text)}>{() => <FoldedText value={text} label={label} />}</Fold>
    </>
  );
}

/** The writer of the report says at the end of a text how much it left out. */
const leftOut = / \[\.\.\. (\d+) characters left out \.\.\.\]$/;

function lengthText(text: string): string {
  const [mark, count] = leftOut.exec(text.slice(-80)) ?? [];
  if (mark === undefined) return `all ${exactCount(text.length)} characters`;
  const shown = text.length - mark.length;
  return `the first ${exactCount(shown)} of ${exactCount(shown + Number(count))} characters; the results have the rest`;
}
