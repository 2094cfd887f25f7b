import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { testNode } from './proctor-process.js';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A program that is an extension, spoken to without Proctor. */
export class ExtensionProcess {
  /** Every line of its stdout, which must be a message. */
  readonly messages: Message[] = [];
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (message: Message) => void>();
  #lastId = 0;

  constructor(program: string, env: Record<string, string> = {}) {
    this.#child = spawn(testNode, [program], { env: { PATH: process.env.PATH, ...env } });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const message: Message = JSON.parse(line);
      this.messages.push(message);
      if (message.id !== undefined) this.#answers.get(message.id)?.(message);
    });
    this.ended = once(this.#child, 'close').then(([code]) => code);
    onLoneTestFinished(() => {
      this.#child.kill('SIGKILL');
    });
  }

  async ask(method: string, params: object): Promise<Message> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Message>((resolve) => {
      this.#answers.set(id, resolve);
    });
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const gone = this.ended.then((code) => {
      throw new Error(`the extension has ended with code ${code}: ${this.stderr}`);
    });
    return Promise.race([answer, gone]);
  }

  initialize(config: object = {}): Promise<Message> {
    return this.ask('initialize', { protocolVersion: '0.0.1', config });
  }

  execute(operation: string, args: object, context: object): Promise<Message> {
    return this.ask('execute', { operation, args, context });
  }

  endInput(): void {
    this.#child.stdin.end();
  }
}
