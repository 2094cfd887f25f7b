import { PassThrough } from 'node:stream';
import type { Extension } from '../../src/extension-kit/extension.js';
import { serveExtension } from '../../src/extension-kit/serve-extension.js';
import { onLoneTestFinished } from './test-end.js';

export interface ExtensionMessage {
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** An extension that is served in this process, and what it says. */
export class ServedExtension {
  readonly messages: ExtensionMessage[] = [];
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  readonly #input = new PassThrough();
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor(extension: Extension<unknown>) {
    this.ended = serveExtension(extension, this.#input, (line) => {
      this.messages.push(JSON.parse(line));
      for (const look of this.#waiting) look();
    });
    this.ended.catch(() => {});
    onLoneTestFinished(() => {
      this.endInput();
    });
  }

  /** Served, and initialized with this config. */
  static async initialized<State>(
    extension: Extension<State>,
    config: object = {},
  ): Promise<ServedExtension> {
    const served = new ServedExtension(extension);
    await served.ask('initialize', { protocolVersion: '0.0.1', config });
    return served;
  }

  write(text: string | Buffer): void {
    this.#input.write(text);
  }

  endInput(): void {
    this.#input.end();
  }

  breakInput(error: Error): void {
    this.#input.destroy(error);
  }

  ask(method: string, params?: object): Promise<ExtensionMessage> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return this.message((message) => message.id === id);
  }

  execute(operation: string, args: object = {}, context: object = {}): Promise<ExtensionMessage> {
    const defaults = { workdir: '/work', phase: 'verify', env: {}, timeout: '5m', agent: {} };
    return this.ask('execute', { operation, args, context: { ...defaults, ...context } });
  }

  message(isMeant: (message: ExtensionMessage) => boolean): Promise<ExtensionMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.messages.find(isMeant);
        if (!found) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
