import { JsonRpcProgram } from '../agents/program/json-rpc-program.js';
import { OutputTail } from '../agents/program/output-tail.js';
import type { PeerHandlers } from '../base/json-rpc-peer.js';
import { withTimeout } from '../base/timeouts.js';

interface Start {
  program: string;
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
}

/** In characters. */
const maxMessageLength = 16 * 1024 * 1024;
const logBytes = 16 * 1024;

/** Milliseconds that it may take to answer `shutdown`, and then to leave. */
const shutdownTime = 2_000;
const grace = { endOfInput: 1_000, terminate: 2_000 };

/** The program of an extension: it has a log for people, and is asked to shut down before it ends. */
export class ExtensionProgram {
  readonly #program: JsonRpcProgram;
  readonly #log = new OutputTail(logBytes);
  #stopping: Promise<void> | undefined;

  constructor({ program, cwd, environment, handlers }: Start) {
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

  /** Settles when it should not be asked any more. */
  get gone(): Promise<void> {
    return this.#program.gone;
  }

  /** The end of what it wrote to stderr. */
  get log(): string {
    const text = this.#log.text().trimEnd();
    return this.#log.isCut ? `… ${text}` : text;
  }

  /** Rejects with AnsweredError, ProgramGone, or the reason of the signal. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#program.request(method, params, signal);
  }

  /** Nobody listens to it any more; why is the end of a sentence about it. */
  giveUp(why: string): void {
    this.#program.giveUp(why);
  }

  /** Ends it, with everything it has started. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    // Whatever it starts to end itself has time for that.
    this.#program.leaving();
    const answer = this.#program.request('shutdown', {}).catch(() => {});
    await withTimeout(shutdownTime, answer);
    await this.#program.stop(grace);
  }
}
