import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluationFile, mergedFile } from '../../../test/support/merged-evaluations.js';
import type { Outcome } from '../../journal/task-run-events.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merge-'));
});

afterEach(() => rm(folder, { recursive: true }));

const runArbitrary = fc.record({
  task: fc.constantFrom('a', 'b', '__proto__'),
  run: fc.integer({ min: 1, max: 3 }),
  attempt: fc.integer({ min: 1, max: 2 }),
});

/** What a run says follows from which it is, so that no two accounts of it contradict. */
const accountArbitrary = fc.record({
  id: fc.constantFrom('e1', 'e2', 'e3'),
  runs: fc.uniqueArray(runArbitrary, {
    maxLength: 4,
    selector: ({ task, run }) => `${task}-${run}`,
  }),
  isFinished: fc.boolean(),
  kind: fc.constantFrom('.json', '.jsonl', '.sorted.json'),
});

type Account = typeof accountArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

describe('what mergeResults makes', () => {
  const merged = (paths: readonly string[], name = 'out.json') =>
    mergedFile(folder, paths, { name });

  const outcomeOf = (task: string, run: number, attempt: number): Outcome =>
    (task.length + run + attempt) % 2 === 0 ? 'passed' : 'failed';

  async function files(wanted: readonly Account[]): Promise<string[]> {
    const paths: string[] = [];
    for (const [index, { kind, runs, ...more }] of wanted.entries()) {
      const whole = runs.map((each) => ({
        ...each,
        runs: 3,
        outcome: outcomeOf(each.task, each.run, each.attempt),
      }));
      const isSorted = kind === '.sorted.json';
      const name = `${index}${isSorted ? '.json' : kind}`;
      const day = Number(more.id.slice(1));
      const path = await evaluationFile(folder, name, { ...more, day, runs: whole });
      if (isSorted) await writeFile(path, sorted(await readFile(path, 'utf8')));
      paths.push(path);
    }
    return paths;
  }

  /** As other programs write it. */
  function sorted(text: string): string {
    return JSON.stringify(
      JSON.parse(text, (_, value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      ),
      null,
      1,
    );
  }

  const filesArbitrary = fc.array(accountArbitrary, { minLength: 3, maxLength: 3 });

  it('does not depend on the order of the files, nor on what was merged before', async () => {
    await fc.assert(
      fc.asyncProperty(filesArbitrary, async (wanted) => {
        const [a = '', b = '', c = ''] = await files(wanted);
        const { text } = await merged([a, b, c]);
        expect((await merged([c, a, b])).text).toBe(text);
        expect((await merged([b, c, a, b])).text).toBe(text);
        const left = await merged([a, b], 'left.json');
        expect((await merged([left.out, c])).text).toBe(text);
        const right = await merged([c, b], 'right.json');
        expect((await merged([a, right.out])).text).toBe(text);
        const whole = await merged([left.out, right.out], 'whole.json');
        expect(whole.text).toBe(text);
        expect((await merged([whole.out, a])).text).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});
