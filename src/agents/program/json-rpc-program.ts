import type { Readable } from 'node:stream';
import { JsonRpcPeer, type PeerHandlers } from '../../base/json-rpc-peer.js';
import { describeEnd, type Grace, ProcessGroup } from '../../base/processes/process-group.js';
import { withTimeout } from '../../base/timeouts.js';
import { LineSplitter, LineTooLongError } from '../../mcp/line-splitter.js';

interface ProgramOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
  /** Called with what it writes to stderr. */
  onLog(chunk: Buffer): void;
  /** Longest message, in characters. Twice as much may wait in its stdin. */
  maxMessageLength: number;
}

/** How long other processes may keep its output open after it has ended, in milliseconds. */
const leftOpen = 500;
/** How long after a failed write its exit may be noticed, in milliseconds: on a busy machine it takes seconds. */
const inputLostTime = 5_000;

/** The program cannot be reached any more. The message is the predicate of a sentence about it. */
export class ProgramGoneError extends Error {
  override name = 'ProgramGoneError';
  /** Whether the program could be started at all. */
  readonly hasStarted: boolean;

  constructor(message: string, hasStarted: boolean) {
    super(message);
    this.hasStarted = hasStarted;
  }
}

/** A child process that speaks JSON-RPC over its stdin and stdout. */
export class JsonRpcProgram {
  /** Settles when no further requests should be made. */
  readonly gone: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #peer: JsonRpcPeer;
  readonly #lines: LineSplitter;
  readonly #maxUnread: number;
  /** Settles when its whole output is read. */
  readonly #isRead: Promise<unknown>;
  #resolveGone = () => {};
  #isStopping = false;

  constructor({
    command,
    args,
    cwd,
    environment,
    handlers,
    onLog,
    maxMessageLength,
  }: ProgramOptions) {
    this.gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
    this.#lines = new LineSplitter({ ends: /\r?\n/g, maxLength: maxMessageLength });
    this.#maxUnread = 2 * maxMessageLength;
    this.#group = new ProcessGroup(command, args, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#peer = new JsonRpcPeer((line) => this.#write(line), handlers);
    const { stdin, stdout, stderr } = this.#group.child;
    stdin?.on('error', () => void this.#inputLost());
    stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr?.on('data', onLog);
    this.#isRead = Promise.all([waitForClose(stdout), waitForClose(stderr)]);
    void this.#reportEnd();
  }

  /** Rejects with AnsweredError, ProgramGoneError, or the reason of the signal. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, signal);
  }

  notify(method: string, params: object): void {
    this.#peer.notify(method, params);
  }

  /** Rejects all open requests; the reason is the predicate of a sentence about the program. */
  giveUp(reason: string, hasStarted = true): void {
    this.#peer.close(new ProgramGoneError(reason, hasStarted));
    this.#resolveGone();
  }

  /** Announces that it will be stopped: what it starts while it shuts down may run to its end. */
  announceStop(): void {
    this.#isStopping = true;
    this.#resolveGone();
  }

  /** Stops the program with everything it has started. */
  async stop(grace: Grace): Promise<void> {
    this.announceStop();
    await this.#group.stop(grace);
    await withTimeout(leftOpen, this.#isRead);
    this.giveUp('was stopped');
    const { stdout, stderr } = this.#group.child;
    stdout?.destroy();
    stderr?.destroy();
  }

  #write(line: string): void {
    const { stdin } = this.#group.child;
    if (!stdin?.writable) return;
    if (stdin.writableLength <= this.#maxUnread) stdin.write(line);
    else this.giveUp('does not read its input');
  }

  /** Waits for its exit first: usually it has ended, and its exit says more than a closed pipe. */
  async #inputLost(): Promise<void> {
    const end = await withTimeout(inputLostTime, this.#group.ended);
    if (!end) this.giveUp('has closed its input');
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#peer.take(line);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.giveUp(`sent too much in one line: ${error.message}`);
    }
  }

  /** Reports the end of the process, after everything that it wrote before. */
  async #reportEnd(): Promise<void> {
    const end = await this.#group.ended;
    this.#resolveGone();
    // Kill what it started, unless it is being stopped and has time to do that itself.
    if (!this.#isStopping) this.#group.kill();
    await withTimeout(leftOpen, this.#isRead);
    this.giveUp(describeEnd(end), end.error === undefined);
  }
}

async function waitForClose(stream: Readable | null | undefined): Promise<void> {
  // A process that was never started may have none, whatever the types say.
  if (stream) await new Promise((resolve) => stream.once('close', resolve));
}
