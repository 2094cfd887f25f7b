import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RawJson } from '../../src/base/json-text.js';
import type { Evaluation } from '../../src/journal/run-events.js';
import type { Outcome } from '../../src/journal/task-run-events.js';
import { mergeResults } from '../../src/results/merge/merge-results.js';
import { writeResults } from '../../src/results/write-results.js';
import { call, ended, JournalBuilder, started } from './journal-builder.js';

interface Run {
  task: string;
  run?: number;
  runs?: number;
  attempt?: number;
  outcome?: Outcome;
  args?: string;
}

/** An evaluation as a test wants it. */
export interface EvaluationParts {
  id: string;
  day?: number;
  runs: Run[];
  evaluation?: Partial<Evaluation>;
  tools?: string;
  isFinished?: boolean;
}

function journalText({
  id,
  day = 1,
  runs,
  evaluation,
  tools,
  isFinished = true,
}: EvaluationParts): string {
  const builder = new JournalBuilder({ id, taskRuns: runs.length, ...evaluation });
  if (tools !== undefined) {
    const none = new RawJson('[]');
    builder.add({
      type: 'server-checked',
      server: 'pets',
      protocolVersion: '2025-11-25',
      tools: new RawJson(tools),
      ...{ resources: none, resourceTemplates: none, prompts: none, allowedTools: [] },
      durationMs: 1,
    });
  }
  for (const { task, run = 1, runs: of = run, attempt = 1, outcome = 'passed', args } of runs) {
    const taskRun = `${task}-${run}`;
    builder.add(started({ taskRun, task, run, runs: of, attempt, labels: { area: task } }));
    if (args !== undefined) builder.add(call({ taskRun, args: new RawJson(args) }));
    builder.add(ended({ taskRun, task, run, outcome, cost: 0.1 }));
  }
  if (isFinished) builder.add({ type: 'run-ended', durationMs: 10, calls: 0 });
  return builder.text.replaceAll('"at":"2026-01-01', `"at":"2026-01-0${day}`);
}

/** Writes the journal of an evaluation, and its results if it is asked for them. */
export async function evaluationFile(
  folder: string,
  name: string,
  wanted: EvaluationParts,
): Promise<string> {
  const journal = join(folder, name.replace(/\.json$/, '.jsonl'));
  await writeFile(journal, journalText(wanted));
  if (name.endsWith('.jsonl')) return journal;
  const path = join(folder, name);
  await writeResults(journal, path);
  return path;
}

export async function mergedFile(
  folder: string,
  paths: readonly string[],
  { force = false, name = 'out.json' } = {},
) {
  const out = join(folder, name);
  await mergeResults(paths, out, { force });
  return { out, text: await readFile(out, 'utf8') };
}
