import type { Readable } from 'node:stream';
import { JsonRpcPeer, type PeerHandlers } from '../../base/json-rpc-peer.js';
import { describeEnd, type Grace, ProcessGroup } from '../../base/processes/process-group.js';
import { withTimeout } from '../../base/timeouts.js';
import { LineSplitter, LineTooLongError } from '../../mcp/line-splitter.js';

interface Start {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
  /** Takes what it writes to stderr. */
  onLog(chunk: Buffer): void;
  /** In characters: of one message. Twice as much may wait for it to be read. */
  maxMessageLength: number;
}

/** How long its output may stay open in somebody else's hands after it has ended. */
const leftOpen = 500;
/** How long its end may take to be told after its input is gone: on a busy machine, seconds. */
const inputLostTime = 5_000;

/** It cannot be talked to any more; the message is the end of a sentence about it. */
export class ProgramGone extends Error {
  override name = 'ProgramGone';
  /** Whether it was there at all. */
  readonly hasStarted: boolean;

  constructor(message: string, hasStarted: boolean) {
    super(message);
    this.hasStarted = hasStarted;
  }
}

/** A program with which we talk in JSON-RPC, over its input and output. */
export class JsonRpcProgram {
  /** Settles when it should not be asked any more. */
  readonly gone: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #peer: JsonRpcPeer;
  readonly #lines: LineSplitter;
  readonly #maxUnread: number;
  /** Settles when everything it wrote is read. */
  readonly #isRead: Promise<unknown>;
  #tellGone = () => {};
  #isStopping = false;

  constructor({ command, args, cwd, environment, handlers, onLog, maxMessageLength }: Start) {
    this.gone = new Promise((resolve) => {
      this.#tellGone = resolve;
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
    this.#isRead = Promise.all([closing(stdout), closing(stderr)]);
    void this.#tellEnd();
  }

  /** Rejects with AnsweredError, ProgramGone, or the reason of the signal. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, signal);
  }

  notify(method: string, params: object): void {
    this.#peer.notify(method, params);
  }

  /** Nobody listens to it any more; why is the end of a sentence about it. */
  giveUp(why: string, hasStarted = true): void {
    this.#peer.close(new ProgramGone(why, hasStarted));
    this.#tellGone();
  }

  /** It will be asked to leave: what it starts on the way out may come to its end. */
  leaving(): void {
    this.#isStopping = true;
    this.#tellGone();
  }

  /** Ends it, with everything it has started. */
  async stop(grace: Grace): Promise<void> {
    this.leaving();
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

  /** Mostly it has ended, and its end tells more. */
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

  /** What it wrote before it ended comes first. */
  async #tellEnd(): Promise<void> {
    const end = await this.#group.ended;
    this.#tellGone();
    // What it started leaves with it, unless it was asked to leave and has time for that.
    if (!this.#isStopping) this.#group.kill();
    await withTimeout(leftOpen, this.#isRead);
    this.giveUp(describeEnd(end), end.error === undefined);
  }
}

async function closing(stream: Readable | null | undefined): Promise<void> {
  // A process that was never started may have none, whatever the types say.
  if (stream) await new Promise((resolve) => stream.once('close', resolve));
}
