import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { openResultsFile } from '../read/open-results.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { writeResults } from './write-results.js';

const text = fc.string({ unit: 'binary' });

const taskRunArbitrary = fc.record({
  task: fc.oneof(fc.constantFrom('a', '__proto__', 'constructor'), text),
  run: fc.integer({ min: 1, max: 3 }),
  outcome: fc.constantFrom<Outcome>('passed', 'failed', 'timeout', 'error', 'cancelled'),
  output: text,
  labels: fc.dictionary(fc.constantFrom('area', '__proto__', 'constructor'), text),
  reason: text,
  args: fc.option(fc.json()),
  result: fc.option(fc.json()),
  isOpen: fc.boolean(),
});

type TaskRuns = (typeof taskRunArbitrary extends fc.Arbitrary<infer Value> ? Value : never)[];

function journalOf(taskRuns: TaskRuns): string {
  const builder = new JournalBuilder({ taskRuns: taskRuns.length });
  for (const [index, each] of taskRuns.entries()) {
    const { task, run, outcome, output, labels, reason, args, result, isOpen } = each;
    const taskRun = `run-${index}`;
    builder.add(started({ taskRun, task, run, runs: 3, labels }));
    for (const event of agentFinished(taskRun)) builder.add(event);
    builder.add(
      call({
        taskRun,
        ...(args !== null && { args: new RawJson(args) }),
        ...(result !== null && { result: new RawJson(result) }),
      }),
    );
    builder.add(assertion({ taskRun, reason }));
    if (!isOpen) builder.add(ended({ taskRun, task, run, outcome, output }));
  }
  return builder.text;
}

async function read(path: string) {
  const { header, taskRuns } = await openResultsFile(path);
  const all: TaskRunRecord[] = [];
  for await (const taskRun of taskRuns()) all.push(taskRun);
  return { header, taskRuns: all };
}

it('says the same of a journal, of its results, and of these in other words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
  const journal = join(folder, 'out.jsonl');
  const results = join(folder, 'out.json');
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(taskRunArbitrary, { maxLength: 4 }), async (taskRuns) => {
        await writeFile(journal, journalOf(taskRuns));
        await writeResults(journal, results);
        const fromJournal = await read(journal);
        const fromResults = await read(results);
        expect(fromResults.taskRuns).toEqual(fromJournal.taskRuns);
        const { kind: _, open, ...header } = fromJournal.header;
        expect(fromResults.header).toEqual({ ...header, kind: 'results', open: [] });
        expect(open).toHaveLength(taskRuns.filter(({ isOpen }) => isOpen).length);
        const members = Object.entries(JSON.parse(await readFile(results, 'utf8'))).toReversed();
        await writeFile(results, JSON.stringify(Object.fromEntries(members), null, 2));
        expect(await read(results)).toEqual(fromResults);
      }),
      { numRuns: 60 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
