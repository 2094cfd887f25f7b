import { isObject, isSameJson } from '../../base/json.js';
import { RawJson, readTextAt } from '../../base/json-text.js';
import type { CallKind, McpCall, OnServer } from '../../journal/mcp-events.js';
import { type Message, readStatelessVersion } from '../../mcp/message.js';
import {
  findTaskId,
  makeFailure,
  type RecordedOutcome,
  readOutcome,
  readTaskFailure,
  readTaskOutcome,
} from './outcome.js';

/** Calls that wait for the agent to come back: one that never does must not be kept for ever. */
const maxWaiting = 1000;
/** Characters of the answers that those calls have got so far. */
const maxWaitingLength = 32 * 1024 * 1024;

/** Takes calls that have ended, and gives them numbers and times. */
interface CallRecord {
  /** When that happened which is being recorded: milliseconds of the monotonic clock. */
  readonly moment: number;
  /** The number of the agent's next call, over all servers. */
  nextCall(): number;
  callEnded(call: McpCall): void;
}

/** Puts requests and answers together into logical calls. */
export class LogicalCalls {
  readonly #record: CallRecord;
  readonly #open = new Set<Call>();
  /** Answered with `input_required`: the next request of the same call brings the input. */
  readonly #waitingForInput = new Set<Call>();
  /** Answered with a task, by the task's id. */
  readonly #tasks = new Map<string, Call>();
  #waitingLength = 0;

  constructor(record: CallRecord) {
    this.#record = record;
  }

  open(request: RecordedRequest) {
    const call = this.#goOnWith(request.message) ?? this.#begin(request);
    return {
      answered: (answer: Message, seq: number) => {
        this.#followTask(request.message, answer, seq);
        this.#answered(call, answer, seq);
      },
      failed: (reason: string) => this.#end(call, makeFailure(reason)),
      cancelled: () => this.#end(call, { ...call.soFar, cancelled: true }),
    };
  }

  blocked(
    request: RecordedRequest,
    answer: Message,
    answerSeq: number | undefined,
    blockedBy: string | undefined,
  ): void {
    const call = this.#begin(request);
    if (answerSeq !== undefined) call.addAnswer(answer, answerSeq);
    const why = blockedBy === undefined ? {} : { blockedBy };
    this.#end(call, { ...readOutcome(answer, call.kind), blocked: true, ...why });
  }

  /** Whatever has not ended by now never will. */
  close(): void {
    for (const call of this.#open) this.#giveUp(call);
  }

  #begin(request: RecordedRequest): Call {
    const call = new Call(request, () => this.#record.nextCall());
    this.#open.add(call);
    return call;
  }

  /** A request that only answers an `input_required` result belongs to the call that got it. */
  #goOnWith(message: Message): Call | undefined {
    const { inputResponses, requestState } = message.params;
    if (inputResponses === undefined && requestState === undefined) return undefined;
    const candidates = [...this.#waitingForInput].filter((call) => call.isLike(message));
    const call =
      candidates.find((candidate) => candidate.hasState(requestState)) ??
      candidates.find((candidate) => candidate.wants(inputResponses));
    if (call === undefined) return undefined;
    this.#waitingForInput.delete(call);
    this.#waitingLength -= call.waitingLength;
    call.addRetry(message);
    return call;
  }

  #answered(call: Call, answer: Message, seq: number): void {
    // A second answer, or one to a call that was cancelled.
    if (!this.#open.has(call)) return;
    call.addAnswer(answer, seq);
    const outcome = readOutcome(answer, call.kind);
    const { result } = answer.value;
    const isInputRequired = isObject(result) && result.resultType === 'input_required';
    if (call.mayBeTask) call.task ??= findTaskId(result);
    if (!isInputRequired && call.task === undefined) {
      this.#end(call, outcome);
      return;
    }
    call.waitFor(outcome);
    this.#waitingLength += call.waitingLength;
    if (call.task !== undefined) this.#tasks.set(call.task, call);
    else this.#waitingForInput.add(call);
    this.#makeRoom();
  }

  /** What the agent learns about a task by asking belongs to the call that started it. */
  #followTask({ method, params }: Message, answer: Message, seq: number): void {
    const call = typeof params.taskId === 'string' ? this.#tasks.get(params.taskId) : undefined;
    if (call === undefined) return;
    const outcome = readTaskOutcome(method, answer, call.kind);
    call.knownFailure ??= outcome ? undefined : readTaskFailure(method, answer);
    if (outcome === undefined) return;
    call.addAnswer(answer, seq);
    this.#end(call, outcome);
  }

  /** The one that has waited longest is given up first. */
  #makeRoom(): void {
    for (const call of [...this.#waitingForInput, ...this.#tasks.values()]) {
      const count = this.#waitingForInput.size + this.#tasks.size;
      if (count <= maxWaiting && this.#waitingLength <= maxWaitingLength) return;
      this.#giveUp(call);
    }
  }

  #giveUp(call: Call): void {
    this.#end(call, call.knownFailure ?? { ...call.soFar, unfinished: true });
  }

  /** Ends a call. Only the first end counts: a late cancellation changes nothing. */
  #end(call: Call, outcome: RecordedOutcome): void {
    if (!this.#open.delete(call)) return;
    const isWaiting = this.#waitingForInput.delete(call);
    const isTask = call.task !== undefined && this.#tasks.delete(call.task);
    if (isWaiting || isTask) this.#waitingLength -= call.waitingLength;
    this.#record.callEnded(call.event(outcome, this.#record.moment));
  }
}

/** A request of the agent as it was recorded. */
interface RecordedRequest {
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
class Call {
  readonly kind: CallKind;
  /** What is known while it waits: for input, or for its task. */
  soFar: RecordedOutcome = { isError: false };
  /** What the server wants to have back, looked up once: a result can be large. */
  #wanted: { state: unknown; inputs: string[] } = { state: undefined, inputs: [] };
  task: string | undefined;
  /** The failure of its task, if that is known although the agent has not fetched the result. */
  knownFailure: RecordedOutcome | undefined;
  readonly #request: RecordedRequest;
  /** Number of the call, for tools, resources and prompts that the agent used; our own steps have none. */
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
    this.#args = readTextAt(text, named ? ['params', 'arguments'] : ['params']);
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
    const first = this.#request.message;
    if (method !== first.method || params.name !== first.params.name) return false;
    return (
      params.uri === first.params.uri &&
      isSameJson(params.arguments ?? {}, first.params.arguments ?? {})
    );
  }

  /** A task is the answer to a request for one, or what the extension for 2026-07-28 says is one. */
  get mayBeTask(): boolean {
    const { params } = this.#request.message;
    return (
      this.kind !== 'other' &&
      (params.task !== undefined || readStatelessVersion(this.#request.message) !== undefined)
    );
  }

  /** Takes an answer that is not the last. */
  waitFor(outcome: RecordedOutcome): void {
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
    const inputs = isObject(inputResponses) ? Object.keys(inputResponses).sort() : [];
    return isSameJson(this.#wanted.inputs, inputs);
  }

  /** `ended` is by the same clock as the request's start. */
  event(outcome: RecordedOutcome, ended: number): McpCall {
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
