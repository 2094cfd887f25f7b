import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarize } from '../src/analysis/summary/summarize.js';
import type { EventBody } from '../src/journal/event.js';
import type { RunRecord } from '../src/journal/run-events.js';
import type { TaskRunStarted } from '../src/journal/task-run-events.js';
import { poolFile } from '../src/reporters/reporter.js';
import { openResultsFile } from '../src/results/read/open-results.js';
import { writeResults } from '../src/results/write/write-results.js';
import type { RunSummary } from '../src/run/session/check-events.js';
import { JournalBuilder, started } from './journals.js';

/** What the results of a run with these events come to, as it is known when the run ends. */
export async function closeRun(
  bodies: readonly EventBody[],
  evaluation: Partial<RunRecord> = {},
  describeTask: (name: string) => Partial<TaskRunStarted> = () => ({}),
): Promise<RunSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'proctor-closing-'));
  try {
    const journal = join(folder, 'out.jsonl');
    const results = join(folder, 'out.json');
    await writeFile(journal, makeJournal(bodies, evaluation, describeTask));
    const totals = await writeResults(journal, results);
    const summary = await summarize(poolFile(await openResultsFile(results)));
    return { end: 'finished', summary, totals };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Task runs that have only an end get a start. */
function makeJournal(
  bodies: readonly EventBody[],
  evaluation: Partial<RunRecord>,
  describeTask: (name: string) => Partial<TaskRunStarted>,
): string {
  const builder = new JournalBuilder(evaluation);
  const begun = new Set<string>();
  for (const body of bodies) {
    if (body.type === 'run-started') continue;
    if (body.type === 'task-run-started') begun.add(body.taskRun);
    if (body.type === 'task-run-ended' && !begun.has(body.taskRun)) {
      const { taskRun, task, run } = body;
      builder.add(started({ taskRun, task, run, ...describeTask(task) }));
    }
    builder.add(body);
  }
  builder.add({ type: 'run-ended', durationMs: 1000, calls: 0 });
  return builder.text;
}
