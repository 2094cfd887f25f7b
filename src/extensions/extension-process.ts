import { JsonRpcProgram, ProgramGoneError } from '../agents/program/json-rpc-program.js';
import { OutputTail } from '../agents/program/program-output.js';
import { asRecord, asString, stringifyIfShort } from '../base/json.js';
import { AnsweredError } from '../base/json-rpc-peer.js';
import { truncate } from '../base/text.js';
import { withTimeout } from '../base/timeouts.js';
import { joinSignals } from '../mcp/connection.js';
import type { ExtensionAnswer, ExtensionRequest } from '../steps/step.js';
import { protocolVersion, readExecutionAnswer, readManifest } from './extension-answers.js';
import {
  type ExtensionDefinition,
  ExtensionError,
  type ExtensionManifest,
} from './extension-definition.js';

interface ProcessOptions {
  definition: ExtensionDefinition;
  /** Path of the extension's program. */
  program: string;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
}

/** Lengths of the extension's own texts in errors, in characters. */
const maxSentence = 1_000;
const maxMessage = 4 * 1024;
const maxData = 16 * 1024;
/** How many lines of the log an error quotes. */
const maxLogLines = 20;
/** Longest message of the protocol, in characters. */
const maxMessageLength = 16 * 1024 * 1024;
const stderrBytes = 16 * 1024;
/** How long it may take to answer `shutdown`, and then to exit, in milliseconds. */
const shutdownTime = 2_000;
const grace = { endOfInput: 1_000, terminate: 2_000 };

/** One running process of an extension, which may serve several requests at a time. */
export class ExtensionProcess {
  readonly #definition: ExtensionDefinition;
  readonly #redact: (text: string) => string;
  readonly #program: JsonRpcProgram;
  readonly #stderr = new OutputTail(stderrBytes);
  readonly #noise = new Noise();
  /** Logs of the executions in progress. */
  readonly #logs = new Set<ExecutionLog>();
  #stopping: Promise<void> | undefined;

  constructor({ definition, program, environment, redact }: ProcessOptions) {
    this.#definition = definition;
    this.#redact = redact;
    this.#program = new JsonRpcProgram({
      command: program,
      args: [],
      cwd: definition.folder,
      environment: { ...environment, ...definition.env },
      handlers: {
        answer: () => undefined,
        notified: (method, params) => this.#notified(method, params),
        noise: (line) => this.#heardNoise(line),
        stray: (line) => this.#heardNoise(line),
      },
      onLog: (chunk) => this.#stderr.push(chunk),
      maxMessageLength,
    });
  }

  /** Settles when no further requests should be made. */
  get gone(): Promise<void> {
    return this.#program.gone;
  }

  /** Initializes the extension and returns its manifest. Throws ExtensionError. */
  async initialize(limitMs: number, signal: AbortSignal): Promise<ExtensionManifest> {
    const params = { protocolVersion, config: this.#definition.config };
    const limit = joinSignals([signal], limitMs);
    try {
      const manifest = readManifest(await this.#ask('initialize', params, limit.signal));
      if ('flaw' in manifest) throw this.#error(manifest.flaw);
      this.#noise.clear();
      return manifest;
    } catch (error) {
      if (!limit.signal.aborted || signal.aborted) throw error;
      throw this.#error(
        `did not answer initialize within ${limitMs / 1000} s${this.#noise.clause}`,
      );
    } finally {
      limit.release();
    }
  }

  /** Throws ExtensionError, also when the signal is aborted. */
  async execute(request: ExtensionRequest, signal: AbortSignal): Promise<ExtensionAnswer> {
    const log = new ExecutionLog(this.#redact);
    this.#logs.add(log);
    try {
      const answer = readExecutionAnswer(await this.#ask('execute', asSent(request), signal, log));
      if ('flaw' in answer) throw this.#error(answer.flaw, { log });
      this.#noise.clear();
      const { success, message, error, outputs } = answer;
      return {
        success,
        ...(message !== undefined && { message: truncate(this.#redact(message), maxMessage) }),
        ...(error !== undefined && { error: truncate(this.#redact(error), maxMessage) }),
        outputs,
        log: log.lines,
      };
    } finally {
      this.#logs.delete(log);
    }
  }

  /** Asks the process to shut down, then stops it with everything it has started. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // Processes that it starts while it shuts down may run to their end.
    this.#program.announceStop();
    const answer = this.#program.request('shutdown', {}).catch(() => {});
    await withTimeout(shutdownTime, answer);
    await this.#program.stop(grace);
  }

  async #ask(
    method: string,
    params: object,
    signal: AbortSignal,
    log?: ExecutionLog,
  ): Promise<unknown> {
    try {
      return await this.#program.request(method, params, signal);
    } catch (error) {
      throw this.#explained(error, method, log);
    }
  }

  /** Adds a line to the logs of all executions in progress, as it does not say which one it is about. */
  #notified(method: string, params: unknown): void {
    if (method !== 'log') return;
    for (const log of this.#logs) log.add(params);
  }

  #heardNoise(line: string): void {
    this.#noise.add(this.#redact, line);
    if (this.#noise.isTooMuch) this.#program.giveUp('writes only lines that are not messages');
  }

  #explained(error: unknown, method: string, log?: ExecutionLog): ExtensionError {
    if (error instanceof AnsweredError) {
      const data = error.data === undefined ? undefined : stringifyIfShort(error.data, maxData);
      return this.#error(`answered ${method} with an error: ${error.message}`, { data, log });
    }
    const isGone = error instanceof ProgramGoneError;
    if (isGone && !error.hasStarted) return this.#error(error.message);
    const why = isGone ? error.message : 'was cancelled';
    return this.#error(`${why}, before it answered ${method}${this.#noise.clause}`, { log });
  }

  /** Creates an error; the message is a sentence about the extension, details are its log. */
  #error(
    sentence: string,
    { data, log }: { data?: string | undefined; log?: ExecutionLog | undefined } = {},
  ): ExtensionError {
    const lines = log?.lines.slice(-maxLogLines) ?? [];
    const parts = [
      data,
      ...lines.map(({ level, message }) => `${level}: ${message}`),
      this.#stderr.markedText().trimEnd(),
    ];
    const details = parts.filter((text) => text !== undefined && text !== '').join('\n');
    const message = this.#redact(`the extension ${this.#definition.name} ${sentence}`);
    return new ExtensionError(truncate(message, maxSentence), {
      ...(details !== '' && { details: this.#redact(details) }),
    });
  }
}

/** Formats the context as the Go host does: extensions see from it whether there was an agent at all. */
function asSent({ operation, args, context: { agent, ...context } }: ExtensionRequest): object {
  const isKnown = agent.prompt !== undefined || agent.output !== undefined;
  return { operation, args, context: { ...context, ...(isKnown && { agent }) } };
}

/** Length of a quoted line, in characters. */
const maxShownLength = 200;
/** Number of lines without a message after which the extension counts as broken. */
const maxNoiseLines = 100_000;

/** Counts lines that are no messages, or answer no request, since the last valid answer. */
class Noise {
  #first: string | undefined;
  #lines = 0;

  add(redact: (text: string) => string, line: string): void {
    this.#lines += 1;
    this.#first ??= truncate(redact(line), maxShownLength);
  }

  /** Called after a valid answer: earlier lines explain nothing any more. */
  clear(): void {
    this.#first = undefined;
    this.#lines = 0;
  }

  get isTooMuch(): boolean {
    return this.#lines > maxNoiseLines;
  }

  /** The end of a sentence about a missing answer, as the line may be the reason. */
  get clause(): string {
    return this.#first === undefined
      ? ''
      : `; it wrote a line that answers nothing: ${this.#first}`;
  }
}

interface LogLine {
  level: string;
  message: string;
}

const maxKeptLines = 200;
/** In characters. */
const maxLineLength = 2 * 1024;
const maxLevelLength = 20;
const maxDataLength = 64 * 1024;

/** The first lines that an extension logged during one execution. */
class ExecutionLog {
  readonly #redact: (text: string) => string;
  readonly #lines: LogLine[] = [];
  #leftOut = 0;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Takes the params of a `log` notification. */
  add(params: unknown): void {
    if (this.#lines.length >= maxKeptLines) {
      this.#leftOut += 1;
      return;
    }
    const { level, message, data } = asRecord(params);
    const json =
      Object.keys(asRecord(data)).length > 0 ? stringifyIfShort(data, maxDataLength) : undefined;
    const text = [asString(message), json].filter((part) => part !== undefined).join(' ');
    this.#lines.push({
      level: truncate(this.#redact(asString(level) ?? 'info'), maxLevelLength),
      message: truncate(this.#redact(text), maxLineLength),
    });
  }

  get lines(): LogLine[] {
    if (this.#leftOut === 0) return [...this.#lines];
    const rest = `${this.#leftOut} more lines of the log are left out here`;
    return [...this.#lines, { level: 'info', message: rest }];
  }
}
