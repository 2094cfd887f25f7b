/** Says how many agents may work at once. */
export interface AgentSlots {
  /**
   * Settles when one more agent may work, in the order of asking, with what gives its place to the next.
   * Rejects when the signal aborts.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}
