import { OperationChecks } from './arguments.js';
import { ExtensionError, type ExtensionManifest } from './extension-definition.js';
import type { ExtensionProcess } from './extension-process.js';

interface SharedProcessOptions {
  /** Name of the extension. */
  name: string;
  /** Finds the extension's program. */
  locate(signal: AbortSignal): Promise<string>;
  open(program: string): ExtensionProcess;
  startLimitMs: number;
  /** Called when nothing of the process is left. */
  onEnd(): void;
}

/** A process that has sent its manifest. */
export interface ReadyExtension {
  process: ExtensionProcess;
  manifest: ExtensionManifest;
  checks: OperationChecks;
}

/**
 * A process from its start to its end, with a count of its users. After a request that was aborted it is
 * retired: it gets no new users, and ends when the last one is done.
 */
export class SharedProcess {
  readonly #options: SharedProcessOptions;
  readonly #ready: Promise<ReadyExtension>;
  readonly #over = new AbortController();
  #process: ExtensionProcess | undefined;
  #users = 0;
  #isRetired = false;
  #ending: Promise<void> | undefined;

  constructor(options: SharedProcessOptions) {
    this.#options = options;
    this.#ready = this.#start();
    this.#ready.catch(() => this.retire());
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Rejects with ExtensionError if it does not start, or the signal is aborted before. */
  async use<Result>(
    signal: AbortSignal,
    task: (extension: ReadyExtension) => Result | Promise<Result>,
  ): Promise<Result> {
    if (signal.aborted) throw this.#calledOff();
    this.#users += 1;
    try {
      return await task(await this.#readyBefore(signal));
    } finally {
      this.#users -= 1;
      // A process that hangs once would let the next user wait, too.
      if (signal.aborted || this.#isRetired) this.retire();
    }
  }

  /** Keeps new users away; it ends with its last user. */
  retire(): void {
    this.#isRetired = true;
    if (this.#users === 0) void this.end();
  }

  /** Ends the process now; its users get an error. */
  end(): Promise<void> {
    this.#isRetired = true;
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #start(): Promise<ReadyExtension> {
    const { signal } = this.#over;
    const { locate, open, startLimitMs } = this.#options;
    const program = await locate(signal);
    signal.throwIfAborted();
    const process = open(program);
    this.#process = process;
    void process.gone.then(() => this.retire());
    const manifest = await process.initialize(startLimitMs, signal);
    return { process, manifest, checks: await OperationChecks.create(manifest) };
  }

  async #end(): Promise<void> {
    this.#over.abort(this.#calledOff());
    await this.#process?.stop();
    this.#options.onEnd();
  }

  async #readyBefore(signal: AbortSignal): Promise<ReadyExtension> {
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(this.#calledOff());
    });
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([this.#ready, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #calledOff(): ExtensionError {
    return new ExtensionError(
      `the extension ${this.#options.name} was cancelled before it was ready`,
    );
  }
}
