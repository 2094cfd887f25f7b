import { isObject } from '../../base/json.js';
import { RawJson } from '../../base/json-text.js';
import type { EventSink } from '../../journal/event.js';
import {
  isAgentCall,
  type McpCall,
  type McpMessage,
  type OnServer,
  type Warning,
  type WarningCode,
} from '../../journal/mcp-events.js';
import { type Message, readMessage } from '../../mcp/message.js';
import type { TokenCounter } from '../../tokens/token-counter.js';
import { LogicalCalls } from './logical-calls.js';

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
   * Records something soon: recording takes as long as relaying does, and must not delay it. By then, what was written to a socket or a pipe in this turn of the event loop has left.
   */
  recordSoon(record: () => void): void {
    // Belongs to what is being recorded.
    if (this.#moment !== undefined) {
      record();
      return;
    }
    this.#unrecorded.push({ moment: performance.now(), record });
    if (this.#unrecorded.length === 1) setImmediate(() => this.recordNow());
  }

  /** Records all that has happened. */
  recordNow(): void {
    // Called while something is being recorded.
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

  /** A promise while record or counting are behind, which settles when they can take more. New messages wait for it. */
  pressure(): Promise<void> | undefined {
    return this.sink.pressure() ?? this.#tokens.pressure();
  }

  /** The number of the agent's next call, over all servers. */
  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  /** Counts sessions of the agent and of steps together, so that a number means one session. */
  nextSession(server: string): number {
    const number = (this.#sessions.get(server) ?? 0) + 1;
    this.#sessions.set(server, number);
    return number;
  }

  /**
   * Counting takes longer than relaying did: a call of the agent is written when its tokens are
   * known. Other calls are not counted, and are written when they happen.
   */
  callEnded(call: McpCall): void {
    if (!isAgentCall(call)) {
      this.sink.write(call);
      return;
    }
    const counting = this.#tokens.count(selectCountedTexts(call)).then((counts) => {
      const [args, result] = counts ?? [];
      const isCounted = args !== undefined && result !== undefined;
      if (!isCounted) this.#notCounted();
      this.sink.write(isCounted ? { ...call, tokens: { args, result } } : call);
      this.#beingCounted.delete(counting);
    });
    this.#beingCounted.add(counting);
  }

  /** Settles when everything that has happened is with the sink. */
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

/** The sender or receiver of a message on the proxy's side of the server. */
export interface Party {
  session?: number;
  by?: 'harness';
}

type Direction = McpMessage['direction'];

/** Whether a message was passed on or held by the proxy. */
type Passing = Pick<McpMessage, 'held'>;

/** What a warning is about. If it is too long, its beginning is kept, or its end. */
export type Details = string | { endOf: string };

/** A recorded request of the agent, which takes how it ended. Only the first end counts. */
export interface OpenRequest {
  answered(answer: Message): void;
  /** There will be no answer; the reason is recorded as the call's error. */
  failed(reason: string): void;
  cancelled(): void;
}

/** How often one kind of warning is recorded for a server. */
const maxWarnings = 20;
/** Characters of a warning's details. */
const maxDetails = 4000;

/** The record of the traffic with one server: the agent's, or that of our own steps. */
export class ServerLog {
  readonly server: string;
  /** The record of the whole task run, which counts calls and sessions over all servers. */
  readonly traffic: TrafficLog;
  readonly #calls: LogicalCalls;
  #failures = 0;
  #warnings = new Map<WarningCode, number>();

  constructor(traffic: TrafficLog, server: string) {
    this.traffic = traffic;
    this.server = server;
    this.#calls = new LogicalCalls(traffic);
  }

  /** How many requests will never be answered, because of what happened on the way. */
  get failures(): number {
    this.traffic.recordNow();
    return this.#failures;
  }

  newSession(): number {
    return this.traffic.nextSession(this.server);
  }

  /** Records a message that is neither the agent's request nor the answer to one. */
  message(direction: Direction, message: Message, party: Party, how: Passing = {}): void {
    this.traffic.recordSoon(() => this.#write(direction, message, party, how));
  }

  /** Records a request of the agent, and returns what takes its end. */
  request(message: Message, party: Party, how: Passing = {}): OpenRequest {
    const startedAt = new Date().toISOString();
    let call: ReturnType<LogicalCalls['open']> | undefined;
    this.traffic.recordSoon(() => {
      const { moment: started } = this.traffic;
      const seq = this.#write('to-server', message, party, how);
      call = this.#calls.open({ message, seq, where: this.#where(party), started, startedAt });
    });
    return {
      answered: (answer) =>
        this.traffic.recordSoon(() =>
          call?.answered(answer, this.#write('to-agent', answer, party)),
        ),
      failed: (reason) =>
        this.traffic.recordSoon(() => {
          this.#failures += 1;
          call?.failed(reason);
        }),
      cancelled: () => this.traffic.recordSoon(() => call?.cancelled()),
    };
  }

  /**
   * Records a call that the policy did not let through, the answer that the agent gets, if any, and the
   * setting behind it.
   */
  blocked(message: Message, answerText: string, party: Party, blockedBy?: string): void {
    const startedAt = new Date().toISOString();
    this.traffic.recordSoon(() => {
      const { moment: started } = this.traffic;
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
    this.traffic.recordSoon(() => this.#warn(code, message, details));
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
    this.traffic.recordNow();
    this.#calls.close();
    for (const [code, count] of this.#warnings) {
      if (count <= maxWarnings) continue;
      const message = `${count - maxWarnings} more of these were left out`;
      this.#writeWarning({ type: 'warning', code, message, server: this.server });
    }
  }

  /** Truncates details after the secrets are out. Of huge ones, only what may be kept is looked at. */
  #cut(details: Details): string {
    const { sink } = this.traffic;
    if (typeof details === 'string') {
      const text = sink.redact(details.slice(0, 2 * maxDetails));
      return text.length <= maxDetails ? text : `${text.slice(0, maxDetails)}...`;
    }
    const text = sink.redact(details.endOf.slice(-2 * maxDetails));
    return text.length <= maxDetails ? text : `...${text.slice(-maxDetails)}`;
  }

  #writeWarning(warning: Warning): void {
    const { taskRun } = this.traffic;
    this.traffic.sink.write(taskRun === undefined ? warning : { ...warning, taskRun });
  }

  #write(direction: Direction, { text }: Message, party: Party, { held }: Passing = {}): number {
    return this.traffic.sink.write({
      type: 'mcp-message',
      ...this.#where(party),
      direction,
      message: new RawJson(text),
      bytes: Buffer.byteLength(text),
      ...(held && { held }),
    });
  }

  #where({ session, by }: Party): OnServer {
    const { taskRun } = this.traffic;
    return {
      ...(taskRun !== undefined && { taskRun }),
      server: this.server,
      ...(session !== undefined && { session }),
      ...(by && { by }),
    };
  }
}

/**
 * What of a call is counted in tokens: the arguments as JSON, and of the result the text that a
 * model would read. Images, audio and other binary parts are no text, and count nothing.
 */
export function selectCountedTexts({
  args,
  result,
  error,
}: McpCall): [args: string, result: string] {
  if (result === undefined) return [args?.text ?? '', error?.text ?? ''];
  return [args?.text ?? '', readTexts(result.value) ?? result.text];
}

/** The texts of a tool's content, a resource's contents or a prompt's messages. */
function readTexts(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const parts = [result.content, result.contents, result.messages].find(Array.isArray);
  if (parts === undefined) return undefined;
  const texts = parts.flatMap((part) => readPartTexts(part));
  // Some servers leave the content to structuredContent alone.
  if (parts.length === 0 && isObject(result.structuredContent)) return undefined;
  return texts.join('\n');
}

/** A message of a prompt has a content of its own, and an embedded resource its resource. */
const maxDepth = 3;

function readPartTexts(part: unknown, depth = 0): string[] {
  if (!isObject(part) || depth > maxDepth) return [];
  for (const inner of [part.content, part.resource]) {
    if (isObject(inner)) return readPartTexts(inner, depth + 1);
  }
  return typeof part.text === 'string' ? [part.text] : [];
}
