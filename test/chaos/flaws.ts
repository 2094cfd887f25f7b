import { readdirSync } from 'node:fs';
import { readJournal } from '../../src/journal/journal-reader.js';
import { markedProcesses } from '../../testing/marked-processes.js';
import { readResults } from '../support/check-results.js';
import type { CheckSuite } from '../support/check-suite.js';

/** Everything that is wrong after a suite has come to its end, in sentences. */
export async function flawsOf(suite: CheckSuite, taskRuns: readonly string[]): Promise<string[]> {
  return [
    ...flawsOfResults(suite, taskRuns),
    ...(await flawsOfJournal(suite, taskRuns)),
    ...flawsOfTraces(suite),
    ...leftBehind(suite),
  ];
}

function flawsOfResults({ results }: CheckSuite, expected: readonly string[]): string[] {
  const { taskRuns, finished } = readResults(results);
  const found = taskRuns.map(({ task, run }) => `${task}#${run}`);
  return [
    ...(finished ? [] : ['the results say that it did not finish']),
    ...expected.filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
    ...found.filter((name, n) => found.indexOf(name) !== n).map((name) => `${name} is there twice`),
    ...taskRuns
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ task, run, outcome }) => `${task}#${run} ${outcome}`),
  ];
}

async function flawsOfJournal(suite: CheckSuite, expected: readonly string[]): Promise<string[]> {
  const begun = new Set<string>();
  const verdicts: string[] = [];
  const flaws: string[] = [];
  for await (const event of readJournal(suite.journal)) {
    if (event.type === 'task-run-started') {
      if (begun.has(event.taskRun)) flaws.push(`${event.taskRun} began twice`);
      begun.add(event.taskRun);
      const name = `${event.task}#${event.run}`;
      if (verdicts.includes(name)) flaws.push(`${name} ran again after its verdict`);
    } else if (event.type === 'task-run-ended') {
      begun.delete(event.taskRun);
      if (event.outcome !== 'cancelled') verdicts.push(`${event.task}#${event.run}`);
    }
  }
  for (const taskRun of begun) flaws.push(`${taskRun} has no end`);
  if (verdicts.length !== expected.length) flaws.push(`${verdicts.length} verdicts`);
  return flaws;
}

/** Whatever setup made, cleanup has removed. */
function flawsOfTraces(suite: CheckSuite): string[] {
  const cleaned = new Set(suite.traces('cleanup').map(({ id }) => id));
  return suite
    .traces('setup')
    .filter(({ id }) => !cleaned.has(id))
    .map(({ task, id }) => `${task} with the id ${id} was not cleaned up`);
}

function leftBehind(suite: CheckSuite): string[] {
  const isExpected = /^proctor-suite-out\.jsonl?$/;
  const files = readdirSync(suite.folder).filter((name) => name.startsWith('proctor-'));
  return [
    ...markedProcesses(suite.mark).map(({ pid, command }) => `process ${pid} is left: ${command}`),
    ...readdirSync(suite.temporary).map((name) => `a temporary folder is left: ${name}`),
    ...files.filter((name) => !isExpected.test(name)).map((name) => `a file is left: ${name}`),
  ];
}
