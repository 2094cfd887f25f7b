import { useMemo, useState } from 'preact/hooks';
import { counted, exactCount } from './amounts.js';
import { CopyButton } from './copy-button.js';
import { jsonText } from './json-text.js';
import { textParts } from './text-parts.js';

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
