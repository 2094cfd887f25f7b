/** What the browser keeps with each step of the way back, also when the page is loaded again. */
interface HistoryState {
  /** The overview as it was left: its filters decide which task run is the next one. */
  overview?: string;
  /** Where the page was scrolled to when a jump led on. */
  scrolledTo?: number;
}

export function historyState(): HistoryState {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null) return {};
  const { overview, scrolledTo } = state as Record<keyof HistoryState, unknown>;
  return {
    ...(typeof overview === 'string' && { overview }),
    ...(typeof scrolledTo === 'number' && { scrolledTo }),
  };
}

export function addToHistoryState(more: HistoryState, hash = location.hash): void {
  try {
    history.replaceState({ ...historyState(), ...more }, '', hash);
  } catch {
    // Safari allows a hundred changes in 30 seconds; the next one brings it up to date.
  }
}
