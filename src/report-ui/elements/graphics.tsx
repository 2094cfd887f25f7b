import type { Outcome } from '../../journal/task-run-events.js';

/** Signs as SVG paths, as not every font has such characters. */
const signs: Record<Outcome, string> = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4.5 4.5l7 7m0-7l-7 7',
  timeout: 'M8 4.5V8l2.5 2M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11',
  error: 'M8 3.5v5.5m0 2.9v.1',
  cancelled: 'M4 8h8',
};

/** The sign of an outcome. The word has to be beside it, or its label. */
export function OutcomeSign({ outcome }: { outcome: Outcome }) {
  return (
    <svg class={`sign ${outcome}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={signs[outcome]} />
    </svg>
  );
}

/** The sign and the name of an outcome: colour alone is not accessible. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return (
    <span class={`badge ${outcome}`}>
      <OutcomeSign outcome={outcome} />
      {outcome}
    </span>
  );
}

/** An arrow between two amounts, read as `to` by screen readers. */
export function Arrow() {
  return (
    <>
      <svg class="sign arrow" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M2.5 8h11M9.5 4l4 4l-4 4" />
      </svg>
      <span class="off-screen"> to </span>
    </>
  );
}

/** Shows the direction of sorting; `aria-sort` or a label has to say it to screen readers. */
export function SortMark({ descending }: { descending: boolean }) {
  return (
    <svg class="sign sort-mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d={descending ? 'M8 3v9.5M4 8.5l4 4l4-4' : 'M8 13V3.5M4 7.5l4-4l4 4'} />
    </svg>
  );
}

interface SortHeadingProps {
  title: string;
  /** What the column shows, as a tooltip. */
  explained?: string;
  class?: string | undefined;
  /** The direction of sorting; undefined: the table is not sorted by this column. */
  descending: boolean | undefined;
  isLargestFirst: boolean;
  onSort: (descending: boolean) => void;
}

/** The heading of a column. A click sorts by it, a second click reverses the order. */
export function SortHeading(props: SortHeadingProps) {
  const { title, explained, descending, isLargestFirst, onSort } = props;
  const isSorted = descending !== undefined;
  const direction = descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={props.class} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        class="plain"
        title={explained}
        onClick={() => onSort(isSorted ? !descending : isLargestFirst)}
      >
        {title}
        {isSorted && <SortMark descending={descending} />}
      </button>
    </th>
  );
}

interface IntervalBarProps {
  /** Share from 0 to 1, as `low` and `high`; null: not known. */
  rate: number | null;
  low: number | null;
  high: number | null;
}

/** A rate as a dot and its interval as a whisker; the numbers are beside it as text. */
export function IntervalBar({ rate, low, high }: IntervalBarProps) {
  return (
    <div class="interval-bar" aria-hidden="true">
      {rate !== null && low !== null && high !== null && (
        <>
          <span class="whisker" style={{ left: `${low * 100}%`, right: `${100 - high * 100}%` }} />
          <span class="dot" style={{ left: `${rate * 100}%` }} />
        </>
      )}
    </div>
  );
}
