import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json.js';
import { RawJson } from '../../events/raw-json.js';
import type { CallKind, McpCall, OnServer } from '../../events/traffic-events.js';
import { textAt } from '../json-span.js';
import { type Message, statelessVersion } from '../message.js';
import type { Outcome } from './outcome.js';

/** A request of the agent as it was recorded. */
export interface RecordedRequest {
  message: Message;
  seq: number;
  where: OnServer;
  /** Monotonic clock, in milliseconds. */
  started: number;
  startedAt: string;
}

/** The requests that are calls in the assertions' sense, and which parameter names their object. */
const namedCalls: ReadonlyMap<string, { kind: CallKind; nameKey: string }> = new Map([
  ['tools/call', { kind: 'tool', nameKey: 'name' }],
  ['resources/read', { kind: 'resource', nameKey: 'uri' }],
  ['prompts/get', { kind: 'prompt', nameKey: 'name' }],
]);

/** A logical call that is under way. */
export class Call {
  readonly kind: CallKind;
  /** What is known while it waits: for input, or for its task. */
  soFar: Outcome = { isError: false };
  /** What the server wants to have back, looked up once: a result can be large. */
  #wanted: { state: unknown; inputs: string[] } = { state: undefined, inputs: [] };
  task: string | undefined;
  /** Its task is known to have failed, though nobody has fetched the result. */
  knownFailure: Outcome | undefined;
  readonly #request: RecordedRequest;
  /** Only of what the agent called: how the protocol works, and what our own steps do, does not count. */
  readonly #number: number | undefined;
  readonly #name: string | undefined;
  readonly #args: string | undefined;
  readonly #bytes: { request: number; response: number };
  #retries = 0;
  #answerSeq: number | undefined;

  constructor(request: RecordedRequest, nextNumber: () => number) {
    const { method, params, text } = request.message;
    const named = namedCalls.get(method);
    this.kind = named?.kind ?? 'other';
    const name = params[named?.nameKey ?? ''];
    this.#name = typeof name === 'string' ? name : undefined;
    this.#args = textAt(text, named ? ['params', 'arguments'] : ['params']);
    this.#bytes = { request: Buffer.byteLength(text), response: 0 };
    this.#request = request;
    const isOfAgent = request.where.by === undefined && this.kind !== 'other';
    this.#number = isOfAgent ? nextNumber() : undefined;
  }

  addRetry({ text }: Message): void {
    this.#retries += 1;
    this.#bytes.request += Buffer.byteLength(text);
  }

  addAnswer({ text }: Message, seq: number): void {
    this.#answerSeq = seq;
    this.#bytes.response += Buffer.byteLength(text);
  }

  /** Whether a request asks for the same thing, but for the input it may bring. */
  isLike({ method, params }: Message): boolean {
    const own = this.#request.message;
    if (method !== own.method || params.name !== own.params.name) return false;
    return params.uri === own.params.uri && sameJson(params.arguments, own.params.arguments);
  }

  /** A task is the answer to a request for one, or what the extension for 2026-07-28 says is one. */
  get mayBeTask(): boolean {
    const { params } = this.#request.message;
    return (
      this.kind !== 'other' &&
      (params.task !== undefined || statelessVersion(this.#request.message) !== undefined)
    );
  }

  /** It has an answer that is not the last. */
  waitFor(outcome: Outcome): void {
    this.soFar = outcome;
    const result = outcome.result?.value;
    const { requestState, inputRequests } = isObject(result) ? result : {};
    const inputs = isObject(inputRequests) ? Object.keys(inputRequests).sort() : [];
    this.#wanted = { state: requestState, inputs };
  }

  get waitingLength(): number {
    return this.soFar.result?.text.length ?? 0;
  }

  /** Whether the server's last answer gave out this state to come back with. */
  hasState(state: unknown): boolean {
    return typeof state === 'string' && this.#wanted.state === state;
  }

  /** Whether the server's last answer asked for just this input. */
  wants(inputResponses: unknown): boolean {
    const given = isObject(inputResponses) ? Object.keys(inputResponses).sort() : [];
    return isDeepStrictEqual(this.#wanted.inputs, given);
  }

  /** `ended` is by the same clock as the request's start. */
  event(outcome: Outcome, ended: number): McpCall {
    const { message, where, seq, started, startedAt } = this.#request;
    return {
      type: 'mcp-call',
      ...where,
      ...(this.#number !== undefined && { call: this.#number }),
      kind: this.kind,
      method: message.method,
      ...(this.#name !== undefined && { name: this.#name }),
      ...(this.#args !== undefined && { args: new RawJson(this.#args) }),
      ...outcome,
      ...(this.#retries > 0 && { retries: this.#retries }),
      ...(this.task !== undefined && { task: this.task }),
      startedAt,
      durationMs: Math.round((ended - started) * 1000) / 1000,
      bytes: this.#bytes,
      request: seq,
      ...(this.#answerSeq !== undefined && { response: this.#answerSeq }),
    };
  }
}

/** Order of keys does not matter; what is nested too deep to look at is not the same. */
function sameJson(left: unknown, right: unknown): boolean {
  try {
    return isDeepStrictEqual(left ?? {}, right ?? {});
  } catch {
    return false;
  }
}
