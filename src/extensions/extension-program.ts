import type { Readable } from 'node:stream';
import { OutputTail } from '../agents/program/output-tail.js';
import { JsonRpcPeer, type PeerHandlers } from '../json-rpc/json-rpc-peer.js';
import { LineSplitter, LineTooLong } from '../mcp/line-splitter.js';
import { describeEnd, ProcessGroup } from '../processes/process-group.js';
import { within } from '../processes/within.js';

interface Start {
  program: string;
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
}

/** In characters of one message, and of what the extension has not read yet. */
const maxMessageLength = 16 * 1024 * 1024;
const maxUnread = 32 * 1024 * 1024;
const logBytes = 16 * 1024;

/** Milliseconds that it may take to answer `shutdown`, and then to leave. */
const shutdownTime = 2_000;
const grace = { endOfInput: 1_000, terminate: 2_000 };
/** How long its output may stay open in somebody else's hands after it has ended. */
const leftOpen = 500;

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

/** The program of an extension, with which we talk over its input and output. */
export class ExtensionProgram {
  /** Settles when it should not be asked any more. */
  readonly gone: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #peer: JsonRpcPeer;
  readonly #lines = new LineSplitter({ ends: /\r?\n/g, maxLength: maxMessageLength });
  readonly #log = new OutputTail(logBytes);
  /** Settles when everything it wrote is read. */
  readonly #isRead: Promise<unknown>;
  #tellGone = () => {};
  #stopping: Promise<void> | undefined;

  constructor({ program, cwd, environment, handlers }: Start) {
    this.gone = new Promise((resolve) => {
      this.#tellGone = resolve;
    });
    this.#group = new ProcessGroup(program, [], {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#peer = new JsonRpcPeer((line) => this.#write(line), handlers);
    const { stdin, stdout, stderr } = this.#group.child;
    stdin?.on('error', () => this.#inputLost());
    stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#log.push(chunk));
    this.#isRead = Promise.all([closing(stdout), closing(stderr)]);
    void this.#tellEnd();
  }

  /** The end of what it wrote to stderr. */
  get log(): string {
    const text = this.#log.text().trimEnd();
    return this.#log.isCut ? `… ${text}` : text;
  }

  /** Rejects with AnsweredError, ProgramGone, or the reason of the signal. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, signal);
  }

  /** Nobody listens to it any more; why is the end of a sentence about it. */
  giveUp(why: string, hasStarted = true): void {
    this.#peer.close(new ProgramGone(why, hasStarted));
    this.#tellGone();
  }

  /** Ends it, with everything it has started. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#tellGone();
    const answer = this.#peer.request('shutdown', {}).catch(() => {});
    await within(shutdownTime, answer);
    await this.#group.stop(grace);
    await within(leftOpen, this.#isRead);
    this.giveUp('was stopped');
    const { stdout, stderr } = this.#group.child;
    stdout?.destroy();
    stderr?.destroy();
  }

  #write(line: string): void {
    const { stdin } = this.#group.child;
    if (!stdin?.writable) return;
    if (stdin.writableLength <= maxUnread) stdin.write(line);
    else this.giveUp('does not read its input');
  }

  /** Mostly it has ended, and its end tells more. */
  async #inputLost(): Promise<void> {
    const end = await within(leftOpen, this.#group.ended);
    if (!end) this.giveUp('has closed its input');
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#peer.take(line);
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.giveUp(`sent too much in one line: ${error.message}`);
    }
  }

  /** What it wrote before it ended comes first. */
  async #tellEnd(): Promise<void> {
    const end = await this.#group.ended;
    this.#tellGone();
    // What it started leaves with it, unless it was asked to leave and has time for that.
    if (!this.#stopping) this.#group.kill();
    await within(leftOpen, this.#isRead);
    this.giveUp(describeEnd(end), end.error === undefined);
  }
}

async function closing(stream: Readable | null | undefined): Promise<void> {
  // A process that was never started may have none, whatever the types say.
  if (stream) await new Promise((resolve) => stream.once('close', resolve));
}
