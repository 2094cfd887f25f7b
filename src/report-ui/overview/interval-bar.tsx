interface IntervalBarProps {
  /** From 0 to 1. Null: not known. */
  rate: number | null;
  low: number | null;
  high: number | null;
}

/** Dot and whisker; the numbers stand beside it. */
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
