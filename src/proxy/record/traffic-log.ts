import type { EventSink } from '../../journal/event.js';
import { isAgentCall, type McpCall } from '../../journal/mcp-events.js';
import type { TokenCounter } from '../../tokens/token-counter.js';
import { countedTexts } from './counted-texts.js';

type Counting = Pick<TokenCounter, 'count' | 'pressure' | 'hurry'>;

export interface TrafficLogOptions {
  sink: EventSink;
  tokens: Counting;
  taskRun?: string;
}

/** Something to be recorded, and when it happened, by the monotonic clock. */
interface Happening {
  moment: number;
  record: () => void;
}

/** The record of what one task run's agent and its servers say to each other. */
export class TrafficLog {
  readonly sink: EventSink;
  readonly taskRun: string | undefined;
  readonly #tokens: Counting;
  #calls = 0;
  readonly #sessions = new Map<string, number>();
  #lacksTokens = false;
  /** What has happened and is not recorded yet, in its order. */
  #unrecorded: Happening[] = [];
  #moment: number | undefined;
  /** Calls that have ended and are only waiting for their tokens. */
  #beingCounted = new Set<Promise<void>>();

  constructor({ sink, tokens, taskRun }: TrafficLogOptions) {
    this.sink = sink;
    this.#tokens = tokens;
    this.taskRun = taskRun;
  }

  /**
   * Records something soon: recording takes as long as relaying does, and nobody should wait for it. By
   * then, what was written to a socket or a pipe in this turn of the event loop has left.
   */
  recordSoon(record: () => void): void {
    // A part of what is being recorded.
    if (this.#moment !== undefined) {
      record();
      return;
    }
    this.#unrecorded.push({ moment: performance.now(), record });
    if (this.#unrecorded.length === 1) setImmediate(() => this.recordNow());
  }

  /** Records all that has happened. */
  recordNow(): void {
    // It is at it.
    if (this.#moment !== undefined) return;
    for (let next = this.#unrecorded.shift(); next; next = this.#unrecorded.shift()) {
      this.#moment = next.moment;
      try {
        next.record();
      } finally {
        this.#moment = undefined;
      }
    }
  }

  /** When that happened which is being recorded: milliseconds of the monotonic clock. */
  get moment(): number {
    return this.#moment ?? performance.now();
  }

  /** Settles when record and counting can take more; whoever lets new messages in waits for it. */
  pressure(): Promise<void> | undefined {
    return this.sink.pressure() ?? this.#tokens.pressure();
  }

  /** The number of the agent's next call, over all servers. */
  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  /** Of the agent and of steps alike, so that a number means one session. */
  nextSession(server: string): number {
    const number = (this.#sessions.get(server) ?? 0) + 1;
    this.#sessions.set(server, number);
    return number;
  }

  /**
   * Counting takes longer than relaying did: a call of the agent is written when its tokens are
   * known. Nobody asks for those of other calls, which are written when they happen.
   */
  callEnded(call: McpCall): void {
    if (!isAgentCall(call)) {
      this.sink.write(call);
      return;
    }
    const counting = this.#tokens.count(countedTexts(call)).then((counts) => {
      const [args, result] = counts ?? [];
      const isCounted = args !== undefined && result !== undefined;
      if (!isCounted) this.#notCounted();
      this.sink.write(isCounted ? { ...call, tokens: { args, result } } : call);
      this.#beingCounted.delete(counting);
    });
    this.#beingCounted.add(counting);
  }

  /** Everything that has happened is handed to the sink. */
  async settled(): Promise<void> {
    this.recordNow();
    while (this.#beingCounted.size > 0) {
      this.#tokens.hurry();
      await Promise.all(this.#beingCounted);
    }
  }

  #notCounted(): void {
    if (this.#lacksTokens) return;
    this.#lacksTokens = true;
    const message = 'the tokens of some calls could not be counted';
    const { taskRun } = this;
    const where = taskRun === undefined ? {} : { taskRun };
    this.sink.write({ type: 'warning', code: 'tokens-not-counted', message, ...where });
  }
}
