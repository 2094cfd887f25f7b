import type { EventSink } from '../../journal/event.js';
import type { WaitStarted } from '../../journal/task-run-events.js';
import type { AgentSlots } from '../../limits/limits.js';
import { formatModel, type ModelGate } from '../../limits/rate-limiter.js';
import type { TimeLimit } from './time-limit.js';

type WaitReason = Pick<WaitStarted, 'for' | 'model'>;

/** In milliseconds: shorter waits are not worth a line. */
const minReported = 1_000;

/** The waits of one task run that limits of the check cause. They do not count against its time. */
export class Waits {
  readonly #events: Pick<EventSink, 'write'>;
  readonly #taskRun: string;
  #underWay = 0;
  #end = () => {};

  constructor(events: Pick<EventSink, 'write'>, taskRun: string) {
    this.#events = events;
    this.#taskRun = taskRun;
  }

  /** Waits while the clock of the limit stands still. */
  during<Result>(
    reason: WaitReason,
    limit: TimeLimit,
    wait: () => Promise<Result>,
  ): Promise<Result> {
    return limit.offTheClock(async () => {
      this.#underWay += 1;
      if (this.#underWay === 1) this.#end = this.#begin(reason);
      try {
        return await wait();
      } finally {
        this.#underWay -= 1;
        if (this.#underWay === 0) this.#end();
      }
    });
  }

  /** Returns the function that frees the slot; undefined: everything was stopped before there was one. */
  async slotWithin(limit: TimeLimit, slots: AgentSlots): Promise<(() => void) | undefined> {
    const { signal } = limit;
    try {
      return await this.during({ for: 'agent' }, limit, () => slots.enter(signal));
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** The same turns; waiting for them does not count against this limit. */
  turnsWithin(limit: TimeLimit, turns: ModelGate): ModelGate {
    return {
      acquire: (of, tokens, signal) =>
        this.during({ for: 'model', model: formatModel(of) }, limit, () =>
          turns.acquire(of, tokens, signal),
        ),
      pause: (of, milliseconds) => turns.pause(of, milliseconds),
    };
  }

  /** Returns the function that reports the end. */
  #begin(reason: WaitReason): () => void {
    const which = { taskRun: this.#taskRun, ...reason };
    const started = performance.now();
    let isReported = false;
    const timer = setTimeout(() => {
      isReported = true;
      this.#events.write({ type: 'wait-started', ...which });
    }, minReported);
    return () => {
      clearTimeout(timer);
      if (!isReported) return;
      const durationMs = Math.round(performance.now() - started);
      this.#events.write({ type: 'wait-ended', ...which, durationMs });
    };
  }
}
