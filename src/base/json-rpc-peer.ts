import { asRecord, asString } from './json.js';

/** Handlers for what the other side sends. */
export interface PeerHandlers {
  /** The result of a request; undefined: there is no such method. */
  answer(method: string, params: unknown): object | undefined;
  notified(method: string, params: unknown): void;
  /** A line that is no message. */
  noise(line: string): void;
  /** The answer to a request that was never made. */
  stray?(line: string): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

/** The other side answered with an error. */
export class AnsweredError extends Error {
  readonly code: unknown;
  readonly data: unknown;

  constructor(code: unknown, message: string, data: unknown) {
    super(message);
    this.name = 'AnsweredError';
    this.code = code;
    this.data = data;
  }
}

const methodNotFound = -32601;

/**
 * One side of JSON-RPC over lines of text. That of the ACP SDK would answer every line that is no
 * message and print what it does not expect on our terminal; agents send both, and some stumble
 * over the answers.
 */
export class JsonRpcPeer {
  readonly #handlers: PeerHandlers;
  readonly #write: (line: string) => void;
  readonly #pending = new Map<unknown, Pending>();
  /** How many were made, which is also the id of the last. */
  #requests = 0;
  #closed: Error | undefined;

  constructor(write: (line: string) => void, handlers: PeerHandlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  /**
   * Rejects with AnsweredError, or with what the peer was closed with. Once the signal is
   * aborted, it rejects with its reason, though the answer may still come.
   */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal?.aborted) return Promise.reject(signal.reason);
    // From 1: some take a message with the id 0 for one without.
    const id = ++this.#requests;
    const abandon = () => {
      this.#pending.get(id)?.reject(signal?.reason);
      this.#pending.delete(id);
    };
    signal?.addEventListener('abort', abandon, { once: true });
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
    return answer.finally(() => signal?.removeEventListener('abort', abandon));
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Takes a line of the other side. */
  take(line: string): void {
    if (this.#closed || line.trim() === '') return;
    const message = parseMessage(line);
    if (message === undefined) {
      this.#handlers.noise(line);
      return;
    }
    const { id, method, params } = message;
    if (typeof method !== 'string') this.#settle(message, line);
    else if (id === undefined) this.#handlers.notified(method, params);
    else if (isId(id)) this.#answer(id, method, params);
  }

  /** Ends the connection: requests that wait for an answer are rejected with the reason. */
  close(reason: Error): void {
    if (this.#closed) return;
    this.#closed = reason;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #answer(id: string | number | null, method: string, params: unknown): void {
    const result = this.#handlers.answer(method, params);
    if (result) this.#send({ id, result });
    else this.#send({ id, error: { code: methodNotFound, message: 'Method not found' } });
  }

  #settle({ id, result, error }: Record<string, unknown>, line: string): void {
    const pending = this.#pending.get(id);
    if (!pending) {
      if (!this.#hasAsked(id)) this.#handlers.stray?.(line);
      return;
    }
    this.#pending.delete(id);
    if (error === undefined || error === null) {
      pending.resolve(result);
    } else {
      const { code, message, data } = asRecord(error);
      pending.reject(
        new AnsweredError(code, asString(message) ?? 'an error without a message', data),
      );
    }
  }

  /** Whether a request with this id was made, even if its answer is no longer awaited. */
  #hasAsked(id: unknown): boolean {
    return typeof id === 'number' && id >= 1 && id <= this.#requests;
  }

  #send(message: object): void {
    if (!this.#closed) this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

function parseMessage(line: string): Record<string, unknown> | undefined {
  // Cheaper than letting the parser fail when a peer floods us.
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    const message = asRecord(JSON.parse(line));
    return message.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

function isId(id: unknown): id is string | number | null {
  return id === null || typeof id === 'string' || typeof id === 'number';
}

/** The first characters of a peer's text, as a copy: a slice would keep all of the text in memory. */
export function copyStart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength)).toString();
}
