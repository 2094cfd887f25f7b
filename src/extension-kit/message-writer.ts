import type { ExtensionLog } from './extension-log.js';
import { messageOf, RpcError, rpcErrorCodes } from './rpc-error.js';

/** Writes what goes to Proctor, a message a line. */
export class MessageWriter {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  result(id: string | number, result: unknown): void {
    try {
      this.#send({ id, result });
    } catch (error) {
      const message = `the outputs cannot be written as JSON: ${messageOf(error)}`;
      this.error(id, new RpcError(rpcErrorCodes.internalError, message));
    }
  }

  error(id: string | number | null, { code, message }: RpcError): void {
    this.#send({ id, error: { code, message } });
  }

  readonly log: ExtensionLog = {
    debug: (message, data) => this.#log('debug', message, data),
    info: (message, data) => this.#log('info', message, data),
    warn: (message, data) => this.#log('warn', message, data),
    error: (message, data) => this.#log('error', message, data),
  };

  #log(level: keyof ExtensionLog, text: unknown, data: unknown): void {
    // Logging must not fail, and without a compiler anything may come here.
    const message = String(text);
    try {
      this.#send({ method: 'log', params: { level, message, data } });
    } catch (error) {
      const reason = `(data cannot be written as JSON: ${messageOf(error)})`;
      this.#send({ method: 'log', params: { level, message: `${message} ${reason}` } });
    }
  }

  #send(message: object): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
