import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, ended, JournalBuilder, started } from '../../../testing/journals.js';
import type { EventBody } from '../../journal/event.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { writeResults } from '../write/write-results.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-recovery-'));
});

afterAll(() => rm(folder, { recursive: true }));

interface Attempt {
  task: number;
  run: number;
  outcome: Outcome;
  /** Numbers of its calls, in the order in which they end. */
  calls: number[];
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  task: fc.integer({ min: 1, max: 3 }),
  run: fc.integer({ min: 1, max: 2 }),
  outcome: fc.constantFrom('passed', 'failed', 'timeout', 'error', 'cancelled'),
  calls: fc.integer({ min: 0, max: 6 }).chain((count) =>
    fc.shuffledSubarray(
      Array.from({ length: count }, (_, index) => index + 1),
      { minLength: count },
    ),
  ),
});

function eventsOf({ task, run, outcome, calls }: Attempt, number: number): EventBody[] {
  const taskRun = `attempt-${number}`;
  const name = `task-${task}`;
  return [
    started({ taskRun, task: name, run, attempt: number }),
    ...calls.map((each) => call({ taskRun, call: each, name: `${taskRun}.${each}` })),
    ended({ taskRun, task: name, run, outcome }),
  ];
}

/** Several attempts at once, as they would be written: each in its own order. */
function interleaved(attempts: Attempt[], choices: number[]): { event: EventBody; of: number }[] {
  const queues = attempts.map((each, index) => eventsOf(each, index + 1));
  const all: { event: EventBody; of: number }[] = [];
  for (let step = 0; queues.some((queue) => queue.length > 0); step++) {
    const open = [...queues.keys()].filter((index) => (queues[index]?.length ?? 0) > 0);
    const of = open[(choices[step % choices.length] ?? 0) % open.length] ?? 0;
    const event = queues[of]?.shift();
    if (event) all.push({ event, of });
  }
  return all;
}

it('has every finished task run exactly once, wherever the journal breaks off', async () => {
  const attempts = fc.array(attempt, { maxLength: 8 });
  const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 20 });
  const journal = join(folder, 'out.jsonl');
  const out = join(folder, 'out.json');
  await fc.assert(
    fc.asyncProperty(
      attempts,
      choices,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (...given) => {
        const [attempts, choices, share] = given;
        const builder = new JournalBuilder({ taskRuns: 6 });
        const head = Buffer.byteLength(builder.text);
        const written = interleaved(attempts, choices);
        const ends = written.map(({ event }) => {
          builder.add(event);
          return Buffer.byteLength(builder.text);
        });
        const bytes = Buffer.from(builder.text);
        const cut = head + Math.round((bytes.length - head) * share);
        await writeFile(journal, bytes.subarray(0, cut));
        const totals = await writeResults(journal, out);
        const { taskRuns } = JSON.parse(await readFile(out, 'utf8'));

        // Of the attempts that have ended, the one that began last counts.
        const beginOf = (attempt: number) => written.findIndex(({ of }) => of === attempt);
        const expected = new Map<string, number>();
        for (const [index, { event, of }] of written.entries()) {
          if (event.type !== 'task-run-ended' || (ends[index] ?? 0) > cut) continue;
          const key = `${event.task} ${event.run}`;
          const counted = expected.get(key) ?? of;
          expected.set(key, beginOf(of) > beginOf(counted) ? of : counted);
        }
        const found = taskRuns.map(
          ({ task, run }: { task: string; run: number }) => `${task} ${run}`,
        );
        expect([...found].sort()).toEqual([...expected.keys()].sort());
        expect(totals.notRun).toBe(6 - expected.size);
        for (const { task, run, id, outcome, calls } of taskRuns) {
          const of = expected.get(`${task} ${run}`) ?? -1;
          expect(id).toBe(`attempt-${of + 1}`);
          expect(outcome).toBe(attempts[of]?.outcome);
          const names = (attempts[of]?.calls ?? []).sort().map((each) => `${id}.${each}`);
          expect(calls.map(({ name }: { name: string }) => name)).toEqual(names);
        }
      },
    ),
  );
});
