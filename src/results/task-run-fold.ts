import type {
  AssertionChecked,
  JournalEvent,
  McpCall,
  PhaseName,
  TaskRunEnded,
  TaskRunStarted,
} from '../events/event.js';
import type { RawJson } from '../events/raw-json.js';
import { jsonArray, jsonObject } from './json-object.js';
import { PhaseFold } from './phase-fold.js';
import { WarningList } from './warning-list.js';

type Numbered<Event> = Event & Pick<JournalEvent, 'seq'>;

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
  readonly #calls: { call: number; json: RawJson }[] = [];
  readonly #warnings = new WarningList();
  #prompt: string | undefined;

  constructor(started: TaskRunStarted) {
    this.#started = started;
  }

  add(event: JournalEvent): void {
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
        if (isOfAgent(event)) this.#calls.push({ call: event.call, json: callJson(event) });
        break;
      case 'assertion-checked':
        this.#assertions.push(assertionJson(event));
        break;
      case 'warning':
        this.#warnings.add(event);
        break;
    }
  }

  /** The task run as results have it. All its calls can be more than one text can hold. */
  jsonPieces(ended: TaskRunEnded): string[] {
    const { task, path, difficulty, labels, run, runs, attempt } = this.#started;
    const { setup, agent, verify, cleanup } = this.#phases;
    const calls = this.#calls.sort((left, right) => left.call - right.call);
    const { text } = jsonObject({
      id: ended.taskRun,
      task,
      path,
      difficulty: difficulty ?? null,
      labels,
      variant: null,
      run,
      runs,
      attempt,
      prompt: this.#prompt ?? null,
      outcome: ended.outcome,
      failure: ended.failure ?? null,
      verified: ended.verified,
      assertionsHeld: ended.assertionsHeld,
      startedAt: ended.startedAt,
      durationMs: ended.durationMs,
      output: ended.output,
      phases: jsonObject({
        setup: setup.json,
        agent: agent.json,
        verify: verify.json,
        cleanup: cleanup.json,
      }),
      assertions: jsonArray(this.#assertions),
      callCounts: ended.calls,
      usage: ended.usage ?? null,
      cost: ended.cost ?? null,
      permissionDenials: ended.permissionDenials ?? [],
      cleanupFailed: ended.cleanupFailed === true,
      workdir: ended.workdir,
      ...this.#warnings.members,
    });
    return [
      `${text.slice(0, -1)},"calls":[`,
      ...calls.flatMap(({ json }, index) => (index === 0 ? [json.text] : [',', json.text])),
      ']}',
    ];
  }
}

/** Neither what our own steps call, nor what is only traffic of the protocol. */
function isOfAgent({ by, kind }: McpCall): boolean {
  return by === undefined && kind !== 'other';
}

function callJson(event: Numbered<McpCall>): RawJson {
  return jsonObject({
    seq: event.seq,
    call: event.call,
    kind: event.kind,
    server: event.server,
    name: event.name ?? '',
    args: event.args ?? null,
    result: event.result ?? null,
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
