import type { Readable } from 'node:stream';
import { JsonRpcPeer, type PeerHandlers } from '../../json-rpc/json-rpc-peer.js';
import { LineSplitter, LineTooLong } from '../../mcp/line-splitter.js';
import { describeEnd, ProcessGroup } from '../../processes/process-group.js';
import { within } from '../../processes/within.js';

interface Start {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  handlers: PeerHandlers;
  /** Takes what it writes to stderr. */
  onLog(chunk: Buffer): void;
}

/** In characters of one message, and of what the agent has not read yet. */
const maxMessageLength = 32 * 1024 * 1024;
const maxUnread = 64 * 1024 * 1024;

/** How long it may take to leave, in milliseconds. */
const grace = { endOfInput: 500, terminate: 5000 };
/** How long its output may stay open in somebody else's hands after it has ended. */
const leftOpen = 500;

/** It cannot be talked to any more; the message is the end of a sentence about it. */
export class ProgramGone extends Error {
  override name = 'ProgramGone';
}

/** The agent's process, with which we talk over its input and output. */
export class AgentProgram {
  readonly #group: ProcessGroup;
  readonly #peer: JsonRpcPeer;
  /** Settles when everything it wrote is read. */
  readonly #isRead: Promise<unknown>;
  readonly #lines = new LineSplitter({ ends: /\r?\n/g, maxLength: maxMessageLength });

  constructor({ command, args, cwd, environment, handlers, onLog }: Start) {
    this.#group = new ProcessGroup(command, args, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#peer = new JsonRpcPeer((line) => this.#write(line), handlers);
    const { stdin, stdout, stderr } = this.#group.child;
    // The end of the process tells more.
    stdin?.on('error', () => {});
    stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr?.on('data', onLog);
    this.#isRead = Promise.all([closing(stdout), closing(stderr)]);
    void this.#tellEnd();
  }

  /** Rejects with AnsweredError or ProgramGone. */
  request(method: string, params: object): Promise<unknown> {
    return this.#peer.request(method, params);
  }

  notify(method: string, params: object): void {
    this.#peer.notify(method, params);
  }

  /** Ends it, with everything it has started. */
  async stop(): Promise<void> {
    await this.#group.stop(grace);
    await within(leftOpen, this.#isRead);
    const { stdout, stderr } = this.#group.child;
    stdout?.destroy();
    stderr?.destroy();
  }

  #write(line: string): void {
    const { stdin } = this.#group.child;
    if (!stdin?.writable) return;
    if (stdin.writableLength <= maxUnread) stdin.write(line);
    else this.#peer.close(new ProgramGone('does not read its input'));
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#peer.take(line);
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.#peer.close(new ProgramGone(`sent too much in one line: ${error.message}`));
    }
  }

  /** What it wrote before it ended comes first. */
  async #tellEnd(): Promise<void> {
    const end = await this.#group.ended;
    await within(leftOpen, this.#isRead);
    this.#peer.close(new ProgramGone(describeEnd(end)));
  }
}

async function closing(stream: Readable | null | undefined): Promise<void> {
  // A process that was never started may have none, whatever the types say.
  if (stream) await new Promise((resolve) => stream.once('close', resolve));
}
