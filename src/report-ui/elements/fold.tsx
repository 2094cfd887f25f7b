import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatCount, formatPlural } from './amounts.js';
import { CopyButton } from './copy-button.js';
import { usePrinting } from './media.js';
import { formatJson, splitText, truncateAtWord } from './text.js';

interface FoldProps {
  class?: string;
  summary: ComponentChildren;
  /** Rendered only while it is open: most are never opened. */
  children: () => ComponentChildren;
  openAtFirst?: boolean;
  /** Opens it when this changes to true. */
  wanted?: boolean;
  /** Called when the reader opens or closes it. */
  onFold?: (open: boolean) => void;
}

/** A `<details>` element that renders its content when it is opened, and opens for printing. */
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
/** Most characters that a click on `copy` formats. */
const longestCopy = 50_000_000;

interface FoldedTextProps {
  /** A text is shown as it is, anything else as JSON. */
  value: unknown;
  /** Name of the text for screen readers. */
  label: string;
}

/** A text of any size: a large one is shown in parts, so that it never freezes the page. */
export function FoldedText({ value, label }: FoldedTextProps) {
  const [limit, setLimit] = useState(atFirst);
  const { text, whole } = useMemo(() => formatValue(value, limit), [value, limit]);
  const parts = useMemo(() => splitText(text, limit), [text, limit]);
  const shown = parts.reduce((sum, part) => sum + part.length, 0);
  const isAll = whole && shown >= text.length;
  return (
    <div class="folded-text">
      {/* Not a section: hundreds of landmarks would be of no use. */}
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
                ? `${formatCount(shown)} of ${formatPlural(text.length, 'character')}`
                : `the first ${formatPlural(shown, 'character')}`}
            </span>
            <button type="button" onClick={() => setLimit(limit + furtherEachTime)}>
              show more
            </button>
          </>
        )}
        <CopyButton text={() => formatValue(value, longestCopy).text} label={`copy ${label}`} />
      </div>
    </div>
  );
}

interface NamedTextProps {
  name: string;
  /** The file that the text is from. */
  file?: string | undefined;
  /** Shown as in FoldedText; null and undefined: there is none, and `missing` is shown. */
  value: unknown;
  missing?: string;
  /** What the text belongs to, for screen readers. */
  owner: string;
}

/** A text of any size under its name. */
export function NamedText({ name, file, value, missing = 'none', owner }: NamedTextProps) {
  return (
    <>
      <h4>
        {name}
        {file !== undefined && <code> {file}</code>}
      </h4>
      {value === null || value === undefined ? (
        <p class="quiet">{missing}</p>
      ) : (
        value !== '' && <FoldedText value={value} label={`${name} of ${owner}`} />
      )}
    </>
  );
}

function formatValue(value: unknown, limit: number): { text: string; whole: boolean } {
  return typeof value === 'string' ? { text: value, whole: true } : formatJson(value, limit);
}

const usualLength = 1000;

interface LongTextProps {
  text: string;
  /** Name of the text for screen readers. */
  label: string;
  /** Most characters that are shown without unfolding. */
  atOnce?: number;
}

/** Prose, such as a message of an agent: its beginning, and all of it in a fold if it is long. */
export function LongText({ text, label, atOnce = usualLength }: LongTextProps) {
  if (text.length <= atOnce) return <p class="said">{text}</p>;
  return (
    <>
      <p class="said">{truncateAtWord(text, atOnce)} …</p>
      <Fold summary={formatLength(text)}>{() => <FoldedText value={text} label={label} />}</Fold>
    </>
  );
}

/** The note that the writer of the report puts at the end of a text that it truncated. */
const leftOut = / \[\.\.\. (\d+) characters left out \.\.\.\]$/;

function formatLength(text: string): string {
  const [mark, count] = leftOut.exec(text.slice(-80)) ?? [];
  if (mark === undefined) return `all ${formatCount(text.length)} characters`;
  const shown = text.length - mark.length;
  return `the first ${formatCount(shown)} of ${formatCount(shown + Number(count))} characters; the results have the rest`;
}
