import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type EvaluationParts,
  ended,
  evaluationFile,
  JournalBuilder,
  mergedFile,
  started,
} from '../../../testing/journals.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { openResultsFile } from '../read/open-results.js';
import { resultsSchema } from '../schema/results-schema.js';
import { writeResults } from '../write/write-results.js';
import { mergeResults } from './merge-results.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merge-'));
});

afterEach(() => rm(folder, { recursive: true }));

const file = (name: string, wanted: EvaluationParts) => evaluationFile(folder, name, wanted);
const merged = (paths: readonly string[], options?: { force?: boolean; name?: string }) =>
  mergedFile(folder, paths, options);

async function mergeAndRead(paths: readonly string[], options?: { force?: boolean }) {
  const { text } = await merged(paths, options);
  const results = JSON.parse(text);
  expect(z.safeParse(resultsSchema, results).error).toBeUndefined();
  return results as z.infer<typeof resultsSchema>;
}

const numbersOf = ({ taskRuns }: z.infer<typeof resultsSchema>) =>
  taskRuns.map(({ task, run, runs, from }) => [task, run, runs, from?.id, from?.run]);

describe('mergeResults', () => {
  it('lets the runs of shards keep their numbers', async () => {
    const one = await file('1.json', { id: 'e1', runs: [{ task: 'b', run: 1, runs: 2 }] });
    const runs = [{ task: 'a' }, { task: 'b', run: 2, runs: 2 }];
    const two = await file('2.json', { id: 'e2', day: 2, runs });
    const results = await mergeAndRead([two, one]);
    expect(numbersOf(results)).toEqual([
      ['a', 1, 1, 'e2', 1],
      ['b', 1, 2, 'e1', 1],
      ['b', 2, 2, 'e2', 2],
    ]);
    expect(results).toMatchObject({
      journal: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 20,
      finished: true,
      sources: [
        { id: 'e1', journal: '1.jsonl', planned: 1 },
        { id: 'e2', journal: '2.jsonl', planned: 2 },
      ],
      totals: { planned: 3, notRun: 0, tasks: 2, outcomes: { passed: 3 } },
    });
    const { header } = await openResultsFile(join(folder, 'out.json'));
    expect(header).toMatchObject({ id: results.id, evaluations: ['e1', 'e2'], planned: 3 });
  });

  it('keeps a file whose list of sources cannot be read', async () => {
    const one = await file('1.json', { id: 'e1', runs: [{ task: 'a' }] });
    const two = await file('2.json', { id: 'e2', runs: [{ task: 'b' }] });
    const odd = { ...JSON.parse(await readFile(two, 'utf8')), sources: 7 };
    await writeFile(two, JSON.stringify(odd));
    const { sources, taskRuns } = await mergeAndRead([one, two]);
    expect(sources?.map(({ id }) => id)).toEqual(['e1', 'e2']);
    expect(taskRuns.map(({ task }) => task)).toEqual(['a', 'b']);
  });

  it('counts runs anew where evaluations did the same ones', async () => {
    const runs = [
      { task: 'a', run: 1 },
      { task: 'a', run: 2 },
    ];
    const late = await file('late.json', { id: 'e1', day: 3, runs });
    const early = await file('early.json', { id: 'e2', day: 2, runs });
    expect(numbersOf(await mergeAndRead([late, early]))).toEqual([
      ['a', 1, 4, 'e2', 1],
      ['a', 2, 4, 'e2', 2],
      ['a', 3, 4, 'e1', 1],
      ['a', 4, 4, 'e1', 2],
    ]);
  });

  it('takes the latest attempt of a task run, and the later account of an evaluation', async () => {
    const before = {
      id: 'e1',
      runs: [{ task: 'a', outcome: 'error' }],
      isFinished: false,
    } as const;
    const early = await file('early.json', { ...before, runs: [...before.runs] });
    const late = await file('late.json', { id: 'e1', runs: [{ task: 'a', attempt: 2 }] });
    const results = await mergeAndRead([late, early]);
    expect(results.taskRuns).toMatchObject([{ attempt: 2, outcome: 'passed' }]);
    expect(results).toMatchObject({ id: 'e1', finished: true, journal: 'late.jsonl' });
  });

  it('is finished only if all of it is', async () => {
    const one = await file('1.json', { id: 'e1', runs: [{ task: 'a' }] });
    const two = await file('2.jsonl', { id: 'e2', runs: [{ task: 'b' }], isFinished: false });
    expect(await mergeAndRead([one, two])).toMatchObject({ finished: false });
  });

  it.each([
    [{ outcome: 'failed' as const }, 'passed in ', 'failed in '],
    [{ args: '{}' }, 'ways: in ', ', in '],
  ])('refuses a task run that two files record differently: %j', async (more, ...texts) => {
    const one = await file('1.json', { id: 'e1', runs: [{ task: 'a' }] });
    const two = await file('2.json', { id: 'e1', runs: [{ task: 'a', ...more }] });
    for (const force of [true, false]) {
      const error = await merged([one, two], { force }).catch((each: unknown) => each);
      expect(error).toMatchObject({ code: 'contradicting-results' });
      for (const text of [...texts, one, two]) expect(String(error)).toContain(text);
    }
    expect((await readdir(folder)).filter((name) => name.includes('out'))).toEqual([]);
  });

  const scripted = { name: 'scripted', type: 'scripted' };
  it.each([
    ['another eval', { evaluation: { eval: { name: 'x', file: 'x' } } }, 'the eval is pets in'],
    ['another agent', { evaluation: { agent: { ...scripted, name: 'x' } } }, 'the agent is'],
    ['a redefined tool', { tools: '[{"name":"feed","title":"x"}]' }, 'pets offers other tools in'],
  ])('refuses %s unless it is forced', async (_, more, reason) => {
    const tools = '[{"name":"feed"}]';
    const one = await file('1.json', { id: 'e1', tools, runs: [{ task: 'a' }] });
    const two = await file('2.json', { id: 'e2', tools, runs: [{ task: 'a' }], ...more });
    await expect(merged([one, two])).rejects.toThrow(reason);
    expect((await mergeAndRead([one, two], { force: true })).taskRuns).toHaveLength(2);
  });

  const shard = (name: string, part: string, cutBy?: string) => {
    const options = { shard: part, ...(cutBy !== undefined && { 'shard-durations': cutBy }) };
    return file(name, { id: name, evaluation: { options }, runs: [{ task: `of ${part}` }] });
  };

  it.each([
    ['by other durations', ['a', 'b'], 'cut by the durations a in '],
    ['by durations, and without', [undefined, 'b'], 'cut without durations in '],
  ])('refuses shards that were cut %s unless it is forced', async (_, cuts, reason) => {
    const one = await shard('1.json', '1/2', cuts[0]);
    const two = await shard('2.json', '2/2', cuts[1]);
    await expect(merged([one, two])).rejects.toThrow(`the 2 shards were ${reason}${one}, and`);
    await expect(merged([one, two])).rejects.toMatchObject({ code: 'unlike-results' });
    const { out } = await merged([one, two], { force: true });
    // What was merged once is known for what it is.
    await expect(merged([out], { name: 'again.json' })).rejects.toThrow('the 2 shards were cut');
  });

  it('refuses shards that have the same task run: they are parts of different plans', async () => {
    const options = (part: string) => ({ options: { shard: part } });
    const runs = [{ task: 'a' }];
    const one = await file('1.json', { id: 'e1', evaluation: options('1/2'), runs });
    const two = await file('2.json', { id: 'e2', evaluation: options('2/2'), runs });
    await expect(merged([two, one])).rejects.toThrow(
      'run 1 of a is in shard 1/2 and in shard 2/2: their plans were not the same',
    );
  });

  it('takes whole sets of shards, however each was cut, and parts of one', async () => {
    const first = [await shard('1.json', '1/2', 'a'), await shard('2.json', '2/2', 'a')];
    const second = [await shard('3.json', '1/2', 'b'), await shard('4.json', '2/2', 'b')];
    expect((await mergeAndRead([...first, ...second])).taskRuns).toHaveLength(4);
    expect((await mergeAndRead([...first, ...second.slice(1)])).taskRuns).toHaveLength(3);
    expect((await mergeAndRead(first.slice(1))).taskRuns).toHaveLength(1);
  });

  it('does not mind in which order tools are listed, and their members written', async () => {
    const runs = [{ task: 'a' }];
    const tools = '[{"name":"a","inputSchema":{"x":[1,2],"y":{}}},{"name":"b"}]';
    const again = '[{"name":"b"},{"inputSchema":{"y":{},"x":[1,2]},"name":"a"}]';
    const one = await file('1.json', { id: 'e1', tools, runs });
    const two = await file('2.json', { id: 'e2', tools: again, runs });
    expect((await mergeAndRead([one, two])).mcpServers).toHaveLength(1);
  });

  it('takes results of mcpchecker in, known by what they hold', async () => {
    const path = join(folder, 'mcpchecker.json');
    const content = [
      { taskName: 'a', taskPassed: true, allAssertionsPassed: true },
      { taskName: 'a', taskPassed: false },
    ];
    await writeFile(path, JSON.stringify(content));
    const ours = await file('1.json', { id: 'e1', runs: [{ task: 'a' }] });
    const results = await mergeAndRead([path, ours]);
    expect(results.taskRuns.map(({ outcome }) => outcome).sort()).toEqual([
      'failed',
      'passed',
      'passed',
    ]);
    expect(results.totals.planned).toBe(3);
  });

  it('refuses what is nested too deep to be converted, and keeps what is ours as it is', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const foreign = join(folder, 'mcpchecker.json');
    const request = `{"Params":{"arguments":${deep}}}`;
    const calls = `{"ToolCalls":[{"serverName":"a","name":"b","request":${request}}]}`;
    await writeFile(foreign, `[{"taskName":"a","callHistory":${calls}}]`);
    await expect(merged([foreign])).rejects.toMatchObject({ code: 'damaged-results' });
    const tools = `[{"name":"feed","inputSchema":${deep}}]`;
    const number = '{"n":12345678901234567890}';
    const args = `{"deep":${deep},"number":${number}}`;
    const ours = await file('1.json', { id: 'e1', tools, runs: [{ task: 'a', args }] });
    const again = await file('2.json', { id: 'e2', tools, runs: [{ task: 'a', args }] });
    const { text } = await merged([ours, again]);
    expect(text.split(`"args":${args}`)).toHaveLength(3);
    expect(text).toContain(tools);
  });

  it('leaves out a task run that names no evaluation, and says so', async () => {
    const one = await file('1.json', { id: 'e1', runs: [{ task: 'a' }] });
    const two = await file('2.json', { id: 'e2', runs: [{ task: 'a' }] });
    const { out, text } = await merged([one, two]);
    await writeFile(out, text.replace('"from":{"id":"e1"', '"from":{"id":"e3"'));
    const again = JSON.parse((await merged([out], { name: 'again.json' })).text);
    expect(again.taskRuns).toMatchObject([{ from: { id: 'e2' } }]);
    const place = 'taskRuns[0].from.id';
    const parts = [{ place, expected: 'an evaluation in sources', found: '"e3"' }];
    expect(again.leftOut).toEqual({ count: 1, parts });
  });
});

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

class Stopped extends Error {}

function stopAt(times: number) {
  let asked = 0;
  return {
    throwIfAborted() {
      asked += 1;
      if (asked === times) throw new Stopped();
    },
  };
}

it('leaves nothing behind, wherever it is stopped', async () => {
  const builder = new JournalBuilder({ taskRuns: 1 });
  builder.add(started());
  builder.add(ended());
  builder.add({ type: 'run-ended', durationMs: 1, calls: 0 });
  const paths = ['a.jsonl', 'b.json', 'c.json'].map((name) => join(folder, name));
  const [journal = '', results = '', theirs = ''] = paths;
  await writeFile(journal, builder.text);
  await writeResults(journal, results);
  await writeFile(
    theirs,
    JSON.stringify([{ taskName: 'x', taskPassed: true, allAssertionsPassed: true }]),
  );
  const before = await readdir(folder);
  const out = join(folder, 'out.json');

  // Two drafts, three files that are read, two task runs that are written.
  for (let times = 1; times <= 7; times++) {
    const merging = mergeResults(paths, out, { force: true, stop: stopAt(times) });
    await expect(merging).rejects.toThrow(Stopped);
    expect(await readdir(folder)).toEqual(before);
  }
  await mergeResults(paths, out, { force: true, stop: stopAt(8) });
  expect(await readdir(folder)).toEqual([...before, 'out.json']);
});
