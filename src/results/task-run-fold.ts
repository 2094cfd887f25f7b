import type { LinePlace } from '../base/file-lines.js';
import { RawJson } from '../base/json-text.js';
import type { JournalEvent } from '../journal/event.js';
import { type AgentMcpCall, isAgentCall } from '../journal/mcp-events.js';
import type {
  AssertionChecked,
  PhaseName,
  TaskRunEnded,
  TaskRunStarted,
} from '../journal/task-run-events.js';
import { jsonArray, jsonObject } from './json-object.js';
import { PhaseFold } from './phase-fold.js';
import { shortSuspicion, suspectedErrorOf } from './suspected-errors.js';
import { toldAmounts } from './told-amounts.js';
import { WarningList } from './warning-list.js';

type Numbered<Event> = Event & Pick<JournalEvent, 'seq'>;

/** In characters: calls beyond are looked up in the journal when they are needed. */
const maxKept = 1024 * 1024;

/** How a task run ended; or that it has not yet, so that there is no outcome. */
export type TaskRunEnd = Omit<TaskRunEnded, 'type' | 'task' | 'run' | 'outcome' | 'durationMs'> & {
  outcome: TaskRunEnded['outcome'] | null;
  durationMs: number | null;
};

interface FoldOptions {
  withoutCallResults?: boolean;
  /** The number that a call has here, where the journal counts them over more than this. */
  numberOf?: (call: number) => number;
}

/** One task run, from the events that belong to it. */
export class TaskRunFold {
  readonly #started: TaskRunStarted;
  readonly #phases: Record<PhaseName, PhaseFold> = {
    setup: new PhaseFold(),
    agent: new PhaseFold(),
    verify: new PhaseFold(),
    cleanup: new PhaseFold(),
  };
  readonly #assertions: RawJson[] = [];
  readonly #calls: { call: number; json: RawJson | LinePlace }[] = [];
  readonly #withoutCallResults: boolean;
  readonly #numberOf: (call: number) => number;
  #kept = 0;
  #suspected = 0;
  readonly #warnings = new WarningList();
  #prompt: string | undefined;
  #isIncomplete = false;

  constructor(started: TaskRunStarted, options: FoldOptions = {}) {
    const { withoutCallResults = false, numberOf = (call) => call } = options;
    this.#started = started;
    this.#withoutCallResults = withoutCallResults;
    this.#numberOf = numberOf;
  }

  /** `place` is that of its line in the journal. */
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
        this.#assertions.push(assertionJson(event));
        break;
      case 'warning':
        this.#warnings.add(event);
        break;
    }
  }

  /** A line of the journal is damaged: it may have been an event of this task run. */
  loseEvent(): void {
    this.#isIncomplete = true;
  }

  #addCall(event: Numbered<AgentMcpCall>, place: LinePlace): void {
    if (suspectedErrorOf(event) !== undefined) this.#suspected += 1;
    const json = this.#callJson(event);
    const isKept = this.#kept + json.text.length <= maxKept;
    if (isKept) this.#kept += json.text.length;
    this.#calls.push({ call: event.call, json: isKept ? json : place });
  }

  #callJson(event: Numbered<AgentMcpCall>): RawJson {
    const call = this.#numberOf(event.call);
    return callJson({ ...event, call }, this.#withoutCallResults);
  }

  /** The task run as results have it. All its calls can be more than the memory can hold. */
  async *jsonPieces(
    ended: TaskRunEnd,
    eventAt: (place: LinePlace) => Promise<JournalEvent>,
  ): AsyncGenerator<string> {
    const { task, path, difficulty, labels, variant, run, runs, attempt, worker, judging } =
      this.#started;
    const { setup, agent, verify, cleanup } = this.#phases;
    const { usage = null, cost = null, costSource, judge } = toldAmounts(ended);
    const calls = this.#calls.sort((left, right) => left.call - right.call);
    const { text } = jsonObject({
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
      phases: jsonObject({
        setup: setup.json,
        agent: agent.json,
        verify: verify.json,
        cleanup: cleanup.json,
      }),
      assertions: jsonArray(this.#assertions),
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
    });
    yield `${text.slice(0, -1)},"calls":[`;
    for (const [index, { json }] of calls.entries()) {
      if (index > 0) yield ',';
      if (json instanceof RawJson) {
        yield json.text;
        continue;
      }
      const event = await eventAt(json);
      if (event.type === 'mcp-call' && isAgentCall(event)) yield this.#callJson(event).text;
    }
    yield ']}';
  }
}

function callJson(event: Numbered<AgentMcpCall>, withoutResult: boolean): RawJson {
  const suspicion = suspectedErrorOf(event);
  return jsonObject({
    seq: event.seq,
    call: event.call,
    kind: event.kind,
    server: event.server,
    name: event.name ?? '',
    args: event.args ?? null,
    result: withoutResult ? null : (event.result ?? null),
    error: event.error ?? null,
    isError: event.isError,
    malformed: event.malformed,
    suspectedError: suspicion === undefined ? undefined : shortSuspicion(suspicion),
    blocked: event.blocked === true,
    blockedBy: event.blockedBy,
    cancelled: event.cancelled,
    unfinished: event.unfinished,
    retries: event.retries,
    startedAt: event.startedAt,
    durationMs: event.durationMs,
    tokens: event.tokens ?? null,
  });
}

function assertionJson({
  name,
  passed,
  reason,
  details = [],
  source,
  calls,
}: AssertionChecked): RawJson {
  return jsonObject({ name, passed, reason, details, at: source, calls });
}
