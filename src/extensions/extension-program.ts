import { JsonRpcProgram } from '../agents/program/json-rpc-program.js';
import { OutputTail } from '../agents/program/program-output.js';
import type { PeerHandlers } from '../base/json-rpc-peer.js';
import { withTimeout } from '../base/timeouts.js';

interface StartOptions {
  program: string;
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
}

/** Longest message, in characters. */
const maxMessageLength = 16 * 1024 * 1024;
const logBytes = 16 * 1024;

/** How long it may take to answer `shutdown`, and then to exit, in milliseconds. */
const shutdownTime = 2_000;
const grace = { endOfInput: 1_000, terminate: 2_000 };

/** The program of an extension. It keeps the end of stderr, and is asked to shut down before it is stopped. */
export class ExtensionProgram {
  readonly #program: JsonRpcProgram;
  readonly #log = new OutputTail(logBytes);
  #stopping: Promise<void> | undefined;

  constructor({ program, cwd, environment, handlers }: StartOptions) {
    this.#program = new JsonRpcProgram({
      command: program,
      args: [],
      cwd,
      environment,
      handlers,
      onLog: (chunk) => this.#log.push(chunk),
      maxMessageLength,
    });
  }

  /** Settles when no further requests should be made. */
  get gone(): Promise<void> {
    return this.#program.gone;
  }

  /** The end of its stderr. */
  get log(): string {
    const text = this.#log.text().trimEnd();
    return this.#log.isCut ? `… ${text}` : text;
  }

  /** Rejects with AnsweredError, ProgramGoneError, or the reason of the signal. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#program.request(method, params, signal);
  }

  /** Rejects all open requests; the reason is the predicate of a sentence about the program. */
  giveUp(reason: string): void {
    this.#program.giveUp(reason);
  }

  /** Stops the program with everything it has started. */
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
}
