import { RawJson } from '../../base/json-text.js';
import type { McpMessage, OnServer, Warning, WarningCode } from '../../journal/mcp-events.js';
import { type Message, readMessage } from '../message.js';
import { LogicalCalls } from './logical-calls.js';
import type { TrafficLog } from './traffic-log.js';

/** Who a message is from or for, on our side of the server. */
export interface Party {
  session?: number;
  by?: 'harness';
}

type Direction = McpMessage['direction'];

/** Whether a message is passed on. */
type Passing = Pick<McpMessage, 'held'>;

/** What a warning is about. If it is too long, its beginning is kept, or its end. */
export type Details = string | { endOf: string };

/** The part of the record that is about one server, and the agent's or our own. */
export class ServerLog {
  readonly server: string;
  readonly #log: TrafficLog;
  readonly #calls: LogicalCalls;
  #failures = 0;
  #warnings = new Map<WarningCode, number>();

  constructor(log: TrafficLog, server: string) {
    this.#log = log;
    this.server = server;
    this.#calls = new LogicalCalls(log);
  }

  /** How many requests will never be answered, because of what happened on the way. */
  get failures(): number {
    this.recordNow();
    return this.#failures;
  }

  /** The whole that it is a part of. */
  get record(): TrafficLog {
    return this.#log;
  }

  pressure(): Promise<void> | undefined {
    return this.#log.pressure();
  }

  recordSoon(record: () => void): void {
    this.#log.recordSoon(record);
  }

  recordNow(): void {
    this.#log.recordNow();
  }

  newSession(): number {
    return this.#log.nextSession(this.server);
  }

  /** Records a message that is neither the agent's request nor the answer to one. */
  message(direction: Direction, message: Message, party: Party, how: Passing = {}): void {
    this.recordSoon(() => this.#write(direction, message, party, how));
  }

  /** Records a request of the agent; what becomes of it is told to what this returns. */
  request(message: Message, party: Party, how: Passing = {}): OpenRequest {
    const startedAt = new Date().toISOString();
    let call: ReturnType<LogicalCalls['open']> | undefined;
    this.recordSoon(() => {
      const { moment: started } = this.#log;
      const seq = this.#write('to-server', message, party, how);
      call = this.#calls.open({ message, seq, where: this.#where(party), started, startedAt });
    });
    return {
      answered: (answer) =>
        this.recordSoon(() => call?.answered(answer, this.#write('to-agent', answer, party))),
      failed: (reason) =>
        this.recordSoon(() => {
          this.#failures += 1;
          call?.failed(reason);
        }),
      cancelled: () => this.recordSoon(() => call?.cancelled()),
    };
  }

  /**
   * Records a call that the policy did not let through, the answer that the agent gets, if any, and the
   * setting behind it.
   */
  blocked(message: Message, answerText: string, party: Party, blockedBy?: string): void {
    const startedAt = new Date().toISOString();
    this.recordSoon(() => {
      const { moment: started } = this.#log;
      const seq = this.#write('to-server', message, party, { held: true });
      const where = this.#where(party);
      const answer = readMessage(answerText);
      if (answer === undefined) return;
      const isAnswered = message.kind === 'request';
      const answerSeq = isAnswered ? this.#write('to-agent', answer, party) : undefined;
      const request = { message, seq, where, started, startedAt };
      this.#calls.blocked(request, answer, answerSeq, blockedBy);
    });
  }

  warn(code: WarningCode, message: string, details?: Details): void {
    this.recordSoon(() => this.#warn(code, message, details));
  }

  #warn(code: WarningCode, message: string, details?: Details): void {
    const count = (this.#warnings.get(code) ?? 0) + 1;
    this.#warnings.set(code, count);
    // One that comes with every message of a flood would bury the rest; close() says how many.
    if (count > maxWarnings) return;
    this.#writeWarning({
      type: 'warning',
      code,
      message,
      server: this.server,
      ...(details !== undefined && { details: this.#cut(details) }),
    });
  }

  /** The end of the task run: what is still open is recorded as it stands. */
  close(): void {
    this.recordNow();
    this.#calls.close();
    for (const [code, count] of this.#warnings) {
      if (count <= maxWarnings) continue;
      const message = `${count - maxWarnings} more of these were left out`;
      this.#writeWarning({ type: 'warning', code, message, server: this.server });
    }
  }

  /** After the secrets are out; of something huge, what is left out anyway is not looked at. */
  #cut(details: Details): string {
    const { sink } = this.#log;
    if (typeof details === 'string') {
      const text = sink.redact(details.slice(0, 2 * maxDetails));
      return text.length <= maxDetails ? text : `${text.slice(0, maxDetails)}...`;
    }
    const text = sink.redact(details.endOf.slice(-2 * maxDetails));
    return text.length <= maxDetails ? text : `...${text.slice(-maxDetails)}`;
  }

  #writeWarning(warning: Warning): void {
    const { taskRun } = this.#log;
    this.#log.sink.write(taskRun === undefined ? warning : { ...warning, taskRun });
  }

  #write(direction: Direction, { text }: Message, party: Party, { held }: Passing = {}): number {
    return this.#log.sink.write({
      type: 'mcp-message',
      ...this.#where(party),
      direction,
      message: new RawJson(text),
      bytes: Buffer.byteLength(text),
      ...(held && { held }),
    });
  }

  #where({ session, by }: Party): OnServer {
    const { taskRun } = this.#log;
    return {
      ...(taskRun !== undefined && { taskRun }),
      server: this.server,
      ...(session !== undefined && { session }),
      ...(by && { by }),
    };
  }
}

const maxWarnings = 20;
const maxDetails = 4000;

/** A request of the agent that was recorded: tell it what becomes of it. Only the first end counts. */
export interface OpenRequest {
  answered(answer: Message): void;
  /** There will be no answer; the reason is recorded as the call's error. */
  failed(reason: string): void;
  cancelled(): void;
}
