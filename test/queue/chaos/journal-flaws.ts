import { existsSync } from 'node:fs';
import { readJournal } from '../../../src/journal/journal-reader.js';
import { readResults } from '../../support/check-results.js';
import type { ChaosSuite } from './chaos-suite.js';

export function flawsOfResults(suite: ChaosSuite): string[] {
  if (!existsSync(suite.results)) return ['there are no results'];
  const { taskRuns, finished } = readResults(suite.results);
  const found = taskRuns.map(({ task, run, outcome }) => `${task}#${run} ${outcome}`);
  const expected = suite.taskRuns.map(({ name, task }) => `${name} ${task.outcome}`);
  return [
    ...(finished ? [] : ['the results say that it did not finish']),
    ...expected.filter((line) => !found.includes(line)).map((line) => `results lack ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `results have ${line}`),
    ...found.filter((line, n) => found.indexOf(line) !== n).map((line) => `twice: ${line}`),
  ];
}

/** What the journal tells of the attempts of a round. */
export interface AttemptsTold {
  flaws: string[];
  /** What {random.id} stood for -> name of the task run, such as `s1#2`. */
  taskRunOf: Map<string, string>;
  /** Attempts that did not count. */
  lost: number;
  /** Milliseconds from the last word of an attempt that was lost to the beginning of the next. */
  longestRecovery: number;
}

export async function readAttempts(suite: ChaosSuite): Promise<AttemptsTold> {
  const told: AttemptsTold = { flaws: [], taskRunOf: new Map(), lost: 0, longestRecovery: 0 };
  const begun = new Set<string>();
  const verdicts = new Set<string>();
  const lastWord = new Map<string, number>();
  let last = 0;
  if (!existsSync(suite.journal)) return { ...told, flaws: ['there is no journal'] };
  for await (const event of readJournal(suite.journal)) {
    if (event.seq !== last + 1) told.flaws.push(`event ${event.seq} follows event ${last}`);
    last = event.seq;
    if (event.type === 'task-run-started') {
      const name = `${event.task}#${event.run}`;
      if (begun.has(event.taskRun)) told.flaws.push(`${event.taskRun} began twice`);
      if (verdicts.has(name)) told.flaws.push(`${name} ran again after its verdict`);
      begun.add(event.taskRun);
      told.taskRunOf.set(event.random.id, name);
      const before = lastWord.get(name);
      if (before !== undefined)
        told.longestRecovery = Math.max(told.longestRecovery, Date.parse(event.at) - before);
    }
    if (event.type === 'task-run-ended') {
      const name = `${event.task}#${event.run}`;
      if (!begun.delete(event.taskRun)) told.flaws.push(`${event.taskRun} ended, and never began`);
      if (event.outcome === 'cancelled') {
        told.lost += 1;
        lastWord.set(name, Date.parse(event.startedAt));
      } else if (verdicts.has(name)) told.flaws.push(`${name} has two verdicts`);
      else verdicts.add(name);
    }
  }
  for (const taskRun of begun) told.flaws.push(`${taskRun} has no end`);
  const missing = suite.taskRuns.filter(({ name }) => !verdicts.has(name));
  told.flaws.push(...missing.map(({ name }) => `${name} has no verdict`));
  return told;
}
