import { ProgramGone } from '../agents/program/json-rpc-program.js';
import { stringifyBounded } from '../base/json.js';
import { AnsweredError } from '../base/json-rpc-peer.js';
import { truncate } from '../base/text.js';
import { joinSignals } from '../mcp/connection.js';
import type { ExtensionAnswer, ExtensionRequest } from '../steps/step-services.js';
import { executionAnswer } from './execution-answer.js';
import { ExecutionLog } from './execution-log.js';
import {
  type ExtensionDefinition,
  ExtensionError,
  type ExtensionManifest,
} from './extension-definition.js';
import { ExtensionProgram } from './extension-program.js';
import { manifestOf, protocolVersion } from './manifest.js';
import { Noise } from './noise.js';

interface ProcessOptions {
  definition: ExtensionDefinition;
  /** Path of its program. */
  program: string;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
}

/** In characters, of what the extension says about itself. */
const maxSentence = 1_000;
const maxMessage = 4 * 1024;
const maxData = 16 * 1024;
/** Of the log of an execution that came to nothing. */
const maxLogLines = 20;

/** One running process of an extension. It can be asked several things at a time. */
export class ExtensionProcess {
  readonly #definition: ExtensionDefinition;
  readonly #redact: (text: string) => string;
  readonly #program: ExtensionProgram;
  readonly #noise = new Noise();
  /** Of the executions under way. */
  readonly #logs = new Set<ExecutionLog>();

  constructor({ definition, program, environment, redact }: ProcessOptions) {
    this.#definition = definition;
    this.#redact = redact;
    this.#program = new ExtensionProgram({
      program,
      cwd: definition.folder,
      environment: { ...environment, ...definition.env },
      handlers: {
        answer: () => undefined,
        notified: (method, params) => this.#notified(method, params),
        noise: (line) => this.#heardNoise(line),
        stray: (line) => this.#heardNoise(line),
      },
    });
  }

  /** Settles when it should not be asked any more. */
  get gone(): Promise<void> {
    return this.#program.gone;
  }

  /** What it can do. Throws ExtensionError. */
  async initialize(limitMs: number, signal: AbortSignal): Promise<ExtensionManifest> {
    const params = { protocolVersion, config: this.#definition.config };
    const limit = joinSignals([signal], limitMs);
    try {
      const manifest = manifestOf(await this.#ask('initialize', params, limit.signal));
      if ('flaw' in manifest) throw this.#error(manifest.flaw);
      this.#noise.clear();
      return manifest;
    } catch (error) {
      if (!limit.signal.aborted || signal.aborted) throw error;
      throw this.#error(`did not answer initialize within ${limitMs / 1000} s${this.#noise.told}`);
    } finally {
      limit.release();
    }
  }

  /** Throws ExtensionError, also when the signal is aborted. */
  async execute(request: ExtensionRequest, signal: AbortSignal): Promise<ExtensionAnswer> {
    const log = new ExecutionLog(this.#redact);
    this.#logs.add(log);
    try {
      const answer = executionAnswer(await this.#ask('execute', asSent(request), signal, log));
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

  /** Ends it, with everything it has started. */
  stop(): Promise<void> {
    return this.#program.stop();
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

  /** It does not say what a line of its log is about: the line belongs to all that is under way. */
  #notified(method: string, params: unknown): void {
    if (method !== 'log') return;
    for (const log of this.#logs) log.add(params);
  }

  #heardNoise(line: string): void {
    this.#noise.add(this.#redact, line);
    if (this.#noise.isTooMuch)
      this.#program.giveUp('writes nothing but lines that are no messages');
  }

  #explained(error: unknown, method: string, log?: ExecutionLog): ExtensionError {
    if (error instanceof AnsweredError) {
      const data = error.data === undefined ? undefined : stringifyBounded(error.data, maxData);
      return this.#error(`answered ${method} with an error: ${error.message}`, { data, log });
    }
    const isGone = error instanceof ProgramGone;
    if (isGone && !error.hasStarted) return this.#error(error.message);
    const why = isGone ? error.message : 'was called off';
    return this.#error(`${why}, before it answered ${method}${this.#noise.told}`, { log });
  }

  /** The message is a sentence about it; details are what it has logged. */
  #error(
    sentence: string,
    { data, log }: { data?: string | undefined; log?: ExecutionLog | undefined } = {},
  ): ExtensionError {
    const lines = log?.lines.slice(-maxLogLines) ?? [];
    const told = [
      data,
      ...lines.map(({ level, message }) => `${level}: ${message}`),
      this.#program.log,
    ];
    const details = told.filter((text) => text !== undefined && text !== '').join('\n');
    const message = this.#redact(`the extension ${this.#definition.name} ${sentence}`);
    return new ExtensionError(truncate(message, maxSentence), {
      ...(details !== '' && { details: this.#redact(details) }),
    });
  }
}

/** As the Go host does it: extensions see from it whether there was an agent at all. */
function asSent({ operation, args, context: { agent, ...context } }: ExtensionRequest): object {
  const isKnown = agent.prompt !== undefined || agent.output !== undefined;
  return { operation, args, context: { ...context, ...(isKnown && { agent }) } };
}
