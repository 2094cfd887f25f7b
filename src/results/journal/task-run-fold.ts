import { constants } from 'node:buffer';
import type { LinePlace } from '../../base/file-lines.js';
import { RawJson } from '../../base/json-text.js';
import type { JournalEvent } from '../../journal/event.js';
import { type AgentMcpCall, isAgentCall, type Warning } from '../../journal/mcp-events.js';
import type { AgentOutput, StepEnded } from '../../journal/step-events.js';
import type {
  AssertionChecked,
  PhaseEnded,
  PhaseName,
  TaskRunEnded,
  TaskRunStarted,
} from '../../journal/task-run-events.js';
import { sanitizeAmounts } from '../schema/usage-schema.js';
import { findSuspectedError, truncateSuspicion } from '../suspected-errors.js';
import { parseRaw, stringifyWithRaw } from '../write/json-output.js';

type Numbered<Event> = Event & Pick<JournalEvent, 'seq'>;

/** Characters of calls kept in memory; further calls are looked up in the journal when they are needed. */
const maxKept = 1024 * 1024;

/** How a task run ended, or that it is still open: then its outcome and its duration are null. */
export type TaskRunEndOrOpen = Omit<
  TaskRunEnded,
  'type' | 'task' | 'run' | 'outcome' | 'durationMs'
> & {
  outcome: TaskRunEnded['outcome'] | null;
  durationMs: number | null;
};

interface FoldOptions {
  withoutCallResults?: boolean;
  /** Maps the number of a call in the journal to its number here, for sessions of a recording. */
  renumber?: (call: number) => number;
}

/** Builds the record of one task run from its events. */
export class TaskRunFold {
  readonly #started: TaskRunStarted;
  readonly #phases: Record<PhaseName, PhaseFold> = {
    setup: new PhaseFold(),
    agent: new PhaseFold(),
    verify: new PhaseFold(),
    cleanup: new PhaseFold(),
  };
  readonly #assertions: object[] = [];
  readonly #calls: { call: number; record: CallMembers | LinePlace }[] = [];
  readonly #withoutCallResults: boolean;
  readonly #renumber: (call: number) => number;
  #kept = 0;
  #suspected = 0;
  readonly #warnings = new WarningList();
  #prompt: string | undefined;
  #isIncomplete = false;

  constructor(started: TaskRunStarted, options: FoldOptions = {}) {
    const { withoutCallResults = false, renumber = (call) => call } = options;
    this.#started = started;
    this.#withoutCallResults = withoutCallResults;
    this.#renumber = renumber;
  }

  /** Adds an event; `place` is the place of its line in the journal. */
  add(event: JournalEvent, place: LinePlace): void {
    switch (event.type) {
      case 'phase-started':
        this.#phases[event.phase].start();
        this.#prompt ??= event.prompt;
        break;
      case 'phase-ended':
        this.#phases[event.phase].end(event);
        break;
      case 'step-ended':
        this.#phases[event.phase].addStep(event);
        break;
      case 'agent-output':
        this.#phases.agent.addAgentStep(event);
        break;
      case 'mcp-call':
        if (isAgentCall(event)) this.#addCall(event, place);
        break;
      case 'assertion-checked':
        this.#assertions.push(pickAssertion(event));
        break;
      case 'warning':
        this.#warnings.add(event);
        break;
    }
  }

  /** Marks the record as incomplete: a line of the journal is damaged that may have been an event of it. */
  loseEvent(): void {
    this.#isIncomplete = true;
  }

  #addCall(event: Numbered<AgentMcpCall>, place: LinePlace): void {
    if (findSuspectedError(event) !== undefined) this.#suspected += 1;
    const record = this.#pickCall(event);
    const size = measureCall(record);
    const isKept = this.#kept + size <= maxKept;
    if (isKept) this.#kept += size;
    this.#calls.push({ call: event.call, record: isKept ? record : place });
  }

  #pickCall(event: Numbered<AgentMcpCall>): CallMembers {
    const call = this.#renumber(event.call);
    return pickCall({ ...event, call }, this.#withoutCallResults);
  }

  /** The task run as JSON of the results file, in pieces: all its calls may not fit into memory. */
  async *jsonPieces(ended: TaskRunEndOrOpen, eventAt: EventAt): AsyncGenerator<string> {
    yield `${stringifyWithRaw(this.#members(ended)).slice(0, -1)},"calls":[`;
    let separator = '';
    for await (const call of this.#readCalls(eventAt)) {
      yield separator + stringifyWithRaw(call);
      separator = ',';
    }
    yield ']}';
  }

  /** The task run as a results file would have it, to be checked like one. */
  async read(ended: TaskRunEndOrOpen, eventAt: EventAt): Promise<UncheckedTaskRun> {
    const calls: unknown[] = [];
    const argsTexts: (string | undefined)[] = [];
    let size = 0;
    for await (const call of this.#readCalls(eventAt)) {
      size += measureCall(call);
      if (size > constants.MAX_STRING_LENGTH) return { tooLarge: true };
      argsTexts.push(call.args?.text);
      calls.push(parseRaw(call));
    }
    // Apart from the calls: what servers said is parsed already, and nested as deep as they like.
    return { value: Object.assign(parseRaw(this.#members(ended)) as object, { calls }), argsTexts };
  }

  /** All members but the calls. */
  #members(ended: TaskRunEndOrOpen) {
    const { task, path, difficulty, labels, variant, run, runs, attempt, worker, judging } =
      this.#started;
    const { setup, agent, verify, cleanup } = this.#phases;
    const { usage = null, cost = null, costSource, judge } = sanitizeAmounts(ended);
    return {
      id: ended.taskRun,
      task,
      path,
      difficulty: difficulty ?? null,
      labels,
      variant: variant ?? null,
      run,
      runs,
      attempt,
      worker,
      judging,
      prompt: this.#prompt ?? null,
      outcome: ended.outcome,
      failure: ended.failure ?? null,
      verified: ended.verified,
      assertionsHeld: ended.assertionsHeld,
      startedAt: ended.startedAt,
      durationMs: ended.durationMs,
      waitedMs: ended.waitedMs,
      output: ended.output,
      phases: {
        setup: setup.record,
        agent: agent.record,
        verify: verify.record,
        cleanup: cleanup.record,
      },
      assertions: this.#assertions,
      callCounts: { ...ended.calls, suspected: this.#suspected },
      usage,
      cost,
      costSource,
      judge: judge ? { ...judge, usage: judge.usage ?? null, cost: judge.cost ?? null } : null,
      permissionDenials: ended.permissionDenials ?? [],
      cleanupFailed: ended.cleanupFailed === true,
      workdir: ended.workdir,
      ...this.#warnings.members,
      incomplete: this.#isIncomplete ? true : undefined,
    };
  }

  async *#readCalls(eventAt: EventAt): AsyncGenerator<CallMembers> {
    for (const { record } of this.#calls.sort((left, right) => left.call - right.call)) {
      if (!('length' in record)) {
        yield record;
        continue;
      }
      const event = await eventAt(record);
      if (event.type === 'mcp-call' && isAgentCall(event)) yield this.#pickCall(event);
    }
  }
}

/** Reads an event again that was not kept in memory. */
type EventAt = (place: LinePlace) => Promise<JournalEvent>;

/** A task run that was not held against the schema yet, and the JSON of the arguments of its calls. */
type UncheckedTaskRun =
  | { tooLarge?: never; value: unknown; argsTexts: (string | undefined)[] }
  /** Its calls would not fit into memory. */
  | { tooLarge: true };

type CallMembers = ReturnType<typeof pickCall>;

function pickCall(event: Numbered<AgentMcpCall>, withoutResult: boolean) {
  const suspicion = findSuspectedError(event);
  const keep = (json: RawJson | undefined) => (withoutResult ? json && detach(json) : json) ?? null;
  return {
    seq: event.seq,
    call: event.call,
    kind: event.kind,
    server: event.server,
    name: event.name ?? '',
    args: keep(event.args),
    result: withoutResult ? null : (event.result ?? null),
    error: keep(event.error),
    isError: event.isError,
    malformed: event.malformed,
    suspectedError: suspicion === undefined ? undefined : truncateSuspicion(suspicion),
    blocked: event.blocked === true,
    blockedBy: event.blockedBy,
    cancelled: event.cancelled,
    unfinished: event.unfinished,
    retries: event.retries,
    startedAt: event.startedAt,
    durationMs: event.durationMs,
    tokens: event.tokens ?? null,
  };
}

/** A copy that does not keep the whole line in memory, as a part of a string does: its result can be large. */
function detach({ text }: RawJson): RawJson {
  return new RawJson(Buffer.from(text).toString());
}

/** Characters of what came over the wire, and of what else a call has. */
function measureCall({ args, result, error }: CallMembers): number {
  const texts = [args, result, error].map((json) => json?.text.length ?? 0);
  return texts.reduce((sum, length) => sum + length, 200);
}

function pickAssertion({
  name,
  passed,
  reason,
  details = [],
  source,
  calls,
}: AssertionChecked): object {
  return { name, passed, reason, details, at: source, calls };
}

/** A server can cause any number of warnings; only the journal has them all. */
const maxWarnings = 100;

/** Keeps the first warnings, and counts the others. */
export class WarningList {
  readonly #warnings: object[] = [];
  #more = 0;

  add({ seq, code, message, server, details }: Warning & Pick<JournalEvent, 'seq'>): void {
    if (this.#warnings.length === maxWarnings) this.#more += 1;
    else this.#warnings.push({ seq, code, message, server, details });
  }

  /** The warnings as members of what they belong to. */
  get members() {
    return {
      warnings: this.#warnings,
      moreWarnings: this.#more > 0 ? this.#more : undefined,
    };
  }
}

/** Builds the record of one phase of a task run. */
class PhaseFold {
  readonly #steps: object[] = [];
  #hasStarted = false;
  #ended: PhaseEnded | undefined;

  start(): void {
    this.#hasStarted = true;
  }

  end(event: PhaseEnded): void {
    this.#ended = event;
  }

  addStep(event: Numbered<StepEnded>): void {
    const { seq, step, kind, id, source, passed, outcome } = event;
    const { message, outputs, truncated, files, durationMs } = event;
    const { script, request, response, args, log, judgement, unmet } = event;
    const identity = { seq, step, kind, id, at: source, passed, outcome };
    const ending = { message, outputs, truncated, files, durationMs };
    const details = { script, request, response, args, log, judgement, unmet };
    this.#steps.push({ ...identity, ...ending, ...details });
  }

  addAgentStep({ seq, kind, text, tool, id, args, isError }: Numbered<AgentOutput>): void {
    this.#steps.push({ seq, kind, text, tool, id, args, isError });
  }

  /** Null if the phase was not reached. */
  get record(): object | null {
    if (!this.#hasStarted && !this.#ended) return null;
    const { outcome = null, durationMs = null, message, details } = this.#ended ?? {};
    return { outcome, durationMs, message, details, steps: this.#steps };
  }
}
