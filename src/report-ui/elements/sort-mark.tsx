/** Says which way something is sorted, to the eye; `aria-sort` or a label says it in words. */
export function SortMark({ descending }: { descending: boolean }) {
  return (
    <svg class="sign sort-mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d={descending ? 'M8 3v9.5M4 8.5l4 4l4-4' : 'M8 13V3.5M4 7.5l4-4l4 4'} />
    </svg>
  );
}
