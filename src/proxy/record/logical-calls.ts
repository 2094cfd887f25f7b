import { isObject } from '../../base/json.js';
import type { Message } from '../message.js';
import { Call, type RecordedRequest } from './call.js';
import { failure, type Outcome, outcomeOf, taskFailure, taskIn, taskOutcome } from './outcome.js';
import type { TrafficLog } from './traffic-log.js';

/** Calls that wait for the agent to come back: one that never does must not be kept for ever. */
const maxWaiting = 1000;
/** In characters: of what they were answered with so far. */
const maxWaitingLength = 32 * 1024 * 1024;

/** Puts requests and answers together into logical calls. */
export class LogicalCalls {
  readonly #log: TrafficLog;
  readonly #open = new Set<Call>();
  /** Answered with `input_required`: the next request of the same call brings the input. */
  readonly #waitingForInput = new Set<Call>();
  /** Answered with a task, by the task's id. */
  readonly #tasks = new Map<string, Call>();
  #waitingLength = 0;

  constructor(log: TrafficLog) {
    this.#log = log;
  }

  open(request: RecordedRequest) {
    const call = this.#goOnWith(request.message) ?? this.#begin(request);
    return {
      answered: (answer: Message, seq: number) => {
        this.#followTask(request.message, answer, seq);
        this.#answered(call, answer, seq);
      },
      failed: (reason: string) => this.#end(call, failure(reason)),
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
    this.#end(call, { ...outcomeOf(answer, call.kind), blocked: true, ...why });
  }

  /** Whatever has not ended by now never will. */
  close(): void {
    for (const call of this.#open) this.#giveUp(call);
  }

  #begin(request: RecordedRequest): Call {
    const call = new Call(request, () => this.#log.nextCall());
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
    // A second answer, or one to a call that was called off.
    if (!this.#open.has(call)) return;
    call.addAnswer(answer, seq);
    const outcome = outcomeOf(answer, call.kind);
    const { result } = answer.value;
    const isInputRequired = isObject(result) && result.resultType === 'input_required';
    if (call.mayBeTask) call.task ??= taskIn(result);
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
    const outcome = taskOutcome(method, answer, call.kind);
    call.knownFailure ??= outcome ? undefined : taskFailure(method, answer);
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

  /** Only the first end counts: a late cancellation changes nothing. */
  #end(call: Call, outcome: Outcome): void {
    if (!this.#open.delete(call)) return;
    const isWaiting = this.#waitingForInput.delete(call);
    const isTask = call.task !== undefined && this.#tasks.delete(call.task);
    if (isWaiting || isTask) this.#waitingLength -= call.waitingLength;
    this.#log.callEnded(call.event(outcome, this.#log.moment));
  }
}
