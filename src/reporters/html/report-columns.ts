import { boundName, boundSentence } from '../../analysis/bounded-text.js';
import type { ReportTask, ReportTaskRuns, ReportTool } from '../../report-data/report-data.js';
import {
  type CallRecord,
  computeWorkingTime,
  type TaskRunSoFar,
} from '../../results/task-run-record.js';
import type { ChunkPlace } from './data-elements.js';

/** Limit on tools and resources: every call can have a resource of its own. */
const maxTools = 2_000;

/** Columns of all task runs, which the overview of the report shows, filters and sorts by. */
export class ReportColumns {
  readonly tasks: ReportTask[] = [];
  readonly servers: string[] = [];
  readonly tools: ReportTool[] = [];
  readonly taskRuns: ReportTaskRuns = {
    set: [],
    task: [],
    run: [],
    outcome: [],
    counts: [],
    category: [],
    message: [],
    startedAt: [],
    durationMs: [],
    calls: [],
    callErrors: [],
    suspectedErrors: [],
    inputTokens: [],
    outputTokens: [],
    cost: [],
    tools: [],
    chunk: [],
    place: [],
  };
  readonly #taskPlaces = new Map<string, number>();
  readonly #serverPlaces = new Map<string, number>();
  readonly #toolPlaces = new Map<string, number>();

  addServer(server: string): number {
    const name = boundName(server);
    return findOrAddPlace(this.#serverPlaces, name, () => this.servers.push(name));
  }

  add(
    { set, counts }: { set: number; counts: boolean },
    taskRun: TaskRunSoFar,
    { chunk, place }: ChunkPlace,
  ): void {
    const columns = this.taskRuns;
    const { callCounts, failure, usage } = taskRun;
    columns.set.push(set);
    columns.task.push(this.#task(taskRun));
    columns.run.push(taskRun.run);
    columns.outcome.push(taskRun.outcome);
    columns.counts.push(counts);
    columns.category.push(failure?.category ?? null);
    columns.message.push(failure ? boundSentence(failure.message) : null);
    columns.startedAt.push(taskRun.startedAt);
    columns.durationMs.push(computeWorkingTime(taskRun));
    columns.calls.push(callCounts.tool + callCounts.resource + callCounts.prompt);
    columns.callErrors.push(callCounts.errors);
    columns.suspectedErrors.push(callCounts.suspected ?? 0);
    columns.inputTokens.push(usage?.inputTokens ?? null);
    columns.outputTokens.push(usage?.outputTokens ?? null);
    columns.cost.push(taskRun.cost);
    columns.tools.push(this.#toolsOf(taskRun.calls));
    columns.chunk.push(chunk);
    columns.place.push(place);
  }

  /** The place of a task; tasks of several results are the same if they share a name, as in summaries. */
  #task({ task, path, difficulty, labels }: TaskRunSoFar): number {
    const name = boundName(task);
    return findOrAddPlace(this.#taskPlaces, name, () =>
      this.tasks.push({ name, path, difficulty, labels }),
    );
  }

  #toolsOf(calls: readonly CallRecord[]): number[] {
    const places = new Set<number>();
    for (const { server: serverName, kind, name: wholeName } of calls) {
      const name = boundName(wholeName);
      const server = this.addServer(serverName);
      const key = `${server} ${kind} ${name}`;
      if (this.tools.length === maxTools && !this.#toolPlaces.has(key)) continue;
      places.add(
        findOrAddPlace(this.#toolPlaces, key, () => this.tools.push({ server, kind, name })),
      );
    }
    return [...places].sort((left, right) => left - right);
  }
}

function findOrAddPlace(places: Map<string, number>, key: string, append: () => number): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = append() - 1;
  places.set(key, place);
  return place;
}
