import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import { UsageError } from '../../base/errors.js';
import { diffResults } from './diff-results.js';
import { formatPoints, listAmountChanges, listDiffNextSteps } from './diff-wording.js';
import { type FailOn, type Headline, shouldFail } from './results-diff.js';

type Tasks = Parameters<typeof resultsSample>[0];

function diffOf(base: Tasks, current: Tasks) {
  return diffResults(
    resultsSample(base, { id: 'base' }),
    resultsSample(current, { id: 'current' }),
  );
}

/** So many tasks that are alike. */
const tasks = (count: number, runs: string, prefix = 'task'): Tasks =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix} ${at}`, runs]));

const all = 'P'.repeat(10);
const most = `F${'P'.repeat(9)}`;
const half = 'PF'.repeat(5);
const none = 'F'.repeat(10);

/** With an assertion that was not there before. */
const edited = (runs: string) => ({
  runs,
  change: { judging: { assertions: { toolsUsed: '1' } } },
});
const original = (runs: string) => ({ runs, change: { judging: { assertions: {} } } });

const edits = (count: number, task: Tasks[string]): Tasks =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`edited ${at}`, task]));

describe('headlineOf', () => {
  it.each<[Headline['tone'], string, Tasks, Tasks]>([
    ['same', 'no detectable difference', tasks(8, all), tasks(8, all)],
    ['same', 'no detectable difference', { a: 'PF' }, { a: 'FP' }],
    [
      'same',
      'no detectable difference in 1 of 9 tasks; only one side has the others',
      tasks(9, all),
      tasks(1, all),
    ],
    [
      'open',
      'passed before, fails now: 1 task; too few runs to rule out chance',
      { a: 'P' },
      { a: 'F' },
    ],
    [
      'open',
      'passed before, fails now: 1 task; failed before, passes now: 1 task; too few runs to rule out chance',
      { a: 'P', b: 'F' },
      { a: 'F', b: 'P' },
    ],
    ['open', '1 task is judged differently', { a: original(none) }, { a: edited(all) }],
    [
      'open',
      'passed before, fails now: 1 task; too few runs to rule out chance; 1 task is judged differently',
      { a: original('P') },
      { a: edited('F') },
    ],
    ['worse', 'worse in 1 task', { a: original(all) }, { a: edited(none) }],
    [
      'better',
      'better in 1 task; 1 task is judged differently',
      { a: original(none), b: none },
      { a: edited(all), b: all },
    ],
    ['worse', 'worse overall', tasks(8, most), tasks(8, half)],
    ['better', 'better overall', tasks(8, half), tasks(8, most)],
    ['worse', 'worse overall and in 8 tasks', tasks(8, all), tasks(8, none)],
    ['worse', 'worse in 1 task', { a: all, b: all }, { a: none, b: all }],
    ['better', 'better in 1 task', { a: none, b: all }, { a: all, b: all }],
    ['mixed', 'worse in 1 task, and better in 1 task', { a: none, b: all }, { a: all, b: none }],
    [
      'mixed',
      'worse in 1 task, and better overall',
      { ...tasks(20, half), a: all },
      { ...tasks(20, most), a: none },
    ],
    [
      'worse',
      'worse overall; 8 tasks are judged differently',
      { ...edits(8, original(most)), ...tasks(8, half) },
      { ...edits(8, edited(half)), ...tasks(8, most) },
    ],
    [
      'open',
      '5 tasks are judged differently',
      { ...edits(5, original(most)), ...tasks(8, half) },
      { ...edits(5, edited(half)), ...tasks(8, most) },
    ],
    [
      'better',
      'better overall; 5 tasks are judged differently',
      { ...edits(5, original(most)), ...tasks(8, half) },
      { ...edits(5, edited(most)), ...tasks(8, most) },
    ],
  ])('is %s: %s', async (tone, text, base, current) => {
    const { headline } = await diffOf(base, current);
    expect(headline).toEqual({ tone, text });
  });
});

describe('isStopped', () => {
  const drop = { a: `F${all}`, ...tasks(7, all) };
  it.each<[string, Tasks, Tasks, FailOn[]]>([
    ['nothing changed', tasks(8, all), tasks(8, all), []],
    ['a task broke', { a: all, b: all }, { a: none, b: all }, ['regression', 'any-drop']],
    ['the whole got worse', tasks(8, most), tasks(8, half), ['regression', 'any-drop']],
    ['one run less passed', { a: all, ...tasks(7, all) }, drop, ['any-drop']],
    ['all got better', tasks(8, half), tasks(8, all), []],
    ['an edited task broke', { a: original(all) }, { a: edited(none) }, ['regression', 'any-drop']],
    ['an edited task passes now', { a: original(none) }, { a: edited(all) }, []],
    [
      'all are edited, and each a little worse',
      edits(8, original(most)),
      edits(8, edited(half)),
      ['regression', 'any-drop'],
    ],
    [
      'edited tasks got better, and hide that the others got worse',
      { ...edits(8, original(none)), ...tasks(8, most) },
      { ...edits(8, edited(all)), ...tasks(8, half) },
      ['regression', 'any-drop'],
    ],
    [
      'edited tasks got worse, and others as much better',
      { ...edits(8, original(most)), ...tasks(8, half) },
      { ...edits(8, edited(half)), ...tasks(8, most) },
      ['regression', 'any-drop'],
    ],
  ])('if %s', async (_what, base, current, stopping) => {
    const diff = await diffOf(base, current);
    const stops = (['regression', 'any-drop', 'never'] as const).filter((failOn) =>
      shouldFail(diff, failOn),
    );
    expect(stops).toEqual(stopping);
  });

  it('refuses a word that it does not know', async () => {
    const diff = await diffOf({ a: 'P' }, { a: 'F' });
    const refused = () => shouldFail(diff, 'regresion' as FailOn);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow('--fail-on: expected regression, any-drop, never, found "regresion"');
    expect(refused).toThrow(expect.objectContaining({ hint: 'did you mean regression?' }));
  });
});

describe('nextSteps', () => {
  it('has nothing to say where all is settled', async () => {
    expect(listDiffNextSteps(await diffOf(tasks(8, all), tasks(8, all)))).toEqual([]);
  });

  it('asks for more runs and more tasks', async () => {
    expect(listDiffNextSteps(await diffOf({ a: 'P', b: 'PP' }, { a: 'P', b: 'PP' }))).toEqual([
      '2 tasks have too few runs: 2 to 3 more on each side could confirm that they did not change (check --runs N)',
      'overall: about 4 more tasks on both sides are needed to confirm no change',
    ]);
  });

  it('separates differences to confirm from tasks that only lack runs', async () => {
    const diff = await diffOf({ a: 'PPP', b: 'PP' }, { a: 'PPP', b: 'FF' });
    expect(listDiffNextSteps(diff)).toEqual([
      '1 task has too few runs: 2 more on each side could confirm the difference if the rates stay (check --runs N)',
      '1 task has too few runs: 1 more on each side could confirm that it did not change (check --runs N)',
      'overall: about 10 more tasks on both sides are needed to confirm the difference',
    ]);
  });
});

describe('points', () => {
  it.each([
    [0.125, '+12.5'],
    [-0.3, '-30.0'],
    [0, '0.0'],
    [-0.0001, '0.0'],
  ])('of %f are %s', (difference, text) => {
    expect(formatPoints(difference)).toBe(text);
  });
});

describe('amountChanges', () => {
  it('lists what changed by how much, and leaves out what is not reported', async () => {
    const calls = (tool: number) => ({ tool, resource: 1, prompt: 0, errors: 0, tokens: 0 });
    const sample = (id: string, tool: number, durationMs: number, cost: number) =>
      resultsSample(
        {
          feed: {
            runs: 'PPPP',
            change: { callCounts: calls(tool), durationMs, cost, usage: null },
          },
        },
        { id },
      );
    const diff = await diffResults(sample('a', 3, 1000, 0), sample('b', 5, 1000, 0.5));
    expect(listAmountChanges(diff.total)).toEqual([
      { what: 'duration', amount: 'durationMs', before: 1000, now: 1000, change: 'same' },
      { what: 'calls', amount: 'calls', before: 4, now: 6, change: '+50.0%' },
      { what: 'cost', amount: 'cost', before: 0, now: 0.5, change: 'new' },
    ]);
  });
});
