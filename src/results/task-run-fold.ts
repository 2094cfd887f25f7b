import type { JournalEvent } from '../events/event.js';
import type { LinePlace } from '../events/file-lines.js';
import { RawJson } from '../events/raw-json.js';
import type {
  AssertionChecked,
  PhaseName,
  TaskRunEnded,
  TaskRunStarted,
} from '../events/task-run-events.js';
import type { McpCall } from '../events/traffic-events.js';
import { jsonArray, jsonObject } from './json-object.js';
import { PhaseFold } from './phase-fold.js';
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
  #kept = 0;
  readonly #warnings = new WarningList();
  #prompt: string | undefined;

  constructor(started: TaskRunStarted, { withoutCallResults = false } = {}) {
    this.#started = started;
    this.#withoutCallResults = withoutCallResults;
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
        if (isOfAgent(event)) this.#addCall(event, place);
        break;
      case 'assertion-checked':
        this.#assertions.push(assertionJson(event));
        break;
      case 'warning':
        this.#warnings.add(event);
        break;
    }
  }

  #addCall(event: Numbered<McpCall>, place: LinePlace): void {
    const json = this.#callJson(event);
    const isKept = this.#kept + json.text.length <= maxKept;
    if (isKept) this.#kept += json.text.length;
    this.#calls.push({ call: event.call, json: isKept ? json : place });
  }

  #callJson(event: Numbered<McpCall>): RawJson {
    return callJson(event, this.#withoutCallResults);
  }

  /** The task run as results have it. All its calls can be more than the memory can hold. */
  async *jsonPieces(
    ended: TaskRunEnd,
    eventAt: (place: LinePlace) => Promise<JournalEvent>,
  ): AsyncGenerator<string> {
    const { task, path, difficulty, labels, variant, run, runs, attempt, worker } = this.#started;
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
      callCounts: ended.calls,
      usage,
      cost,
      costSource,
      judge: judge ? { ...judge, usage: judge.usage ?? null, cost: judge.cost ?? null } : null,
      permissionDenials: ended.permissionDenials ?? [],
      cleanupFailed: ended.cleanupFailed === true,
      workdir: ended.workdir,
      ...this.#warnings.members,
    });
    yield `${text.slice(0, -1)},"calls":[`;
    for (const [index, { json }] of calls.entries()) {
      if (index > 0) yield ',';
      if (json instanceof RawJson) {
        yield json.text;
        continue;
      }
      const event = await eventAt(json);
      if (event.type === 'mcp-call') yield this.#callJson(event).text;
    }
    yield ']}';
  }
}

/** Neither what our own steps call, nor what is only traffic of the protocol. */
function isOfAgent({ by, kind }: McpCall): boolean {
  return by === undefined && kind !== 'other';
}

function callJson(event: Numbered<McpCall>, withoutResult: boolean): RawJson {
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
    blocked: event.blocked === true,
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
