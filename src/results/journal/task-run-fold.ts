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
import { buildJsonArray, buildJsonObject } from '../write/json-output.js';

type Numbered<Event> = Event & Pick<JournalEvent, 'seq'>;

/** Characters of calls kept in memory; further calls are looked up in the journal when they are needed. */
const maxKept = 1024 * 1024;

/** How a task run ended. The outcome is null if it has not ended yet. */
export type TaskRunEnd = Omit<TaskRunEnded, 'type' | 'task' | 'run' | 'outcome' | 'durationMs'> & {
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
  readonly #assertions: RawJson[] = [];
  readonly #calls: { call: number; json: RawJson | LinePlace }[] = [];
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
        this.#assertions.push(formatAssertion(event));
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
    const json = this.#callJson(event);
    const isKept = this.#kept + json.text.length <= maxKept;
    if (isKept) this.#kept += json.text.length;
    this.#calls.push({ call: event.call, json: isKept ? json : place });
  }

  #callJson(event: Numbered<AgentMcpCall>): RawJson {
    const call = this.#renumber(event.call);
    return formatCall({ ...event, call }, this.#withoutCallResults);
  }

  /** The task run as JSON of the results file, in pieces: all its calls may not fit into memory. */
  async *jsonPieces(
    ended: TaskRunEnd,
    eventAt: (place: LinePlace) => Promise<JournalEvent>,
  ): AsyncGenerator<string> {
    const { task, path, difficulty, labels, variant, run, runs, attempt, worker, judging } =
      this.#started;
    const { setup, agent, verify, cleanup } = this.#phases;
    const { usage = null, cost = null, costSource, judge } = sanitizeAmounts(ended);
    const calls = this.#calls.sort((left, right) => left.call - right.call);
    const { text } = buildJsonObject({
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
      phases: buildJsonObject({
        setup: setup.json,
        agent: agent.json,
        verify: verify.json,
        cleanup: cleanup.json,
      }),
      assertions: buildJsonArray(this.#assertions),
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

function formatCall(event: Numbered<AgentMcpCall>, withoutResult: boolean): RawJson {
  const suspicion = findSuspectedError(event);
  return buildJsonObject({
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
    suspectedError: suspicion === undefined ? undefined : truncateSuspicion(suspicion),
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

function formatAssertion({
  name,
  passed,
  reason,
  details = [],
  source,
  calls,
}: AssertionChecked): RawJson {
  return buildJsonObject({ name, passed, reason, details, at: source, calls });
}

/** A server can cause any number of warnings; only the journal has them all. */
const maxWarnings = 100;

/** Keeps the first warnings, and counts the others. */
export class WarningList {
  readonly #warnings: RawJson[] = [];
  #more = 0;

  add({ seq, code, message, server, details }: Warning & Pick<JournalEvent, 'seq'>): void {
    if (this.#warnings.length === maxWarnings) this.#more += 1;
    else this.#warnings.push(buildJsonObject({ seq, code, message, server, details }));
  }

  /** The warnings as members of the JSON object that they belong to. */
  get members() {
    return {
      warnings: buildJsonArray(this.#warnings),
      moreWarnings: this.#more > 0 ? this.#more : undefined,
    };
  }
}

/** Builds the record of one phase of a task run. */
class PhaseFold {
  readonly #steps: RawJson[] = [];
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
    this.#steps.push(buildJsonObject({ ...identity, ...ending, ...details }));
  }

  addAgentStep({ seq, kind, text, tool, id, args, isError }: Numbered<AgentOutput>): void {
    this.#steps.push(buildJsonObject({ seq, kind, text, tool, id, args, isError }));
  }

  /** The phase as JSON; null if it was not reached. */
  get json(): RawJson | null {
    if (!this.#hasStarted && !this.#ended) return null;
    const { outcome = null, durationMs = null, message, details } = this.#ended ?? {};
    const steps = buildJsonArray(this.#steps);
    return buildJsonObject({ outcome, durationMs, message, details, steps });
  }
}
