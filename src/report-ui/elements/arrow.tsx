/** From one amount to another. Drawn, not written: not every font has it. */
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
