import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { proctorProgram, testNode } from './proctor-process.js';

/** How a client has to start `proctor bridge`: nothing of the machine's own settings gets in. */
export function bridgeCommand(url: string, more: Record<string, string> = {}) {
  const home = inject('homeFolder');
  return {
    command: testNode,
    args: [proctorProgram, 'bridge', url],
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, ...more },
  };
}

/** `proctor bridge` as a client on stdio sees it. Ends with the test. */
export class BridgeProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exit: Promise<{ exitCode: number | null; signal: string | null }>;
  stderr = '';
  readonly #output: AsyncIterator<string>;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(url: string, more: Record<string, string> = {}) {
    const { command, args, env } = bridgeCommand(url, more);
    this.child = spawn(command, args, { env });
    this.exit = once(this.child, 'exit').then(([exitCode, signal]) => ({ exitCode, signal }));
    this.#output = this.child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (data: Buffer) => {
      this.stderr += data;
    });
    onLoneTestFinished(async () => {
      this.child.kill('SIGKILL');
      await this.exit;
    });
  }

  /** Writes lines as they are, and anything but text as JSON. */
  send(...messages: unknown[]): void {
    for (const message of messages) {
      const line = typeof message === 'string' ? message : JSON.stringify(message);
      this.child.stdin.write(`${line}\n`);
    }
  }

  /** The next line of output: no more is read than is asked for. */
  async line(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      const { value, done } = await this.#output.next();
      if (done) throw new Error('the output has ended');
      const lines = `${this.#rest}${value}`.split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
    }
  }

  async message() {
    return JSON.parse(await this.line());
  }

  async stderrWith(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await once(this.child.stderr, 'data');
  }

  /** The client goes away. */
  async end() {
    this.child.stdin.end();
    return this.exit;
  }
}
