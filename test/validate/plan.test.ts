import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/config/patterns/pattern.js';
import { Problems } from '../../src/config/problems/problem.js';
import { type LabelSelector, parseLabelSelector } from '../../src/plan/labels.js';
import { makePlan, type PlanOptions } from '../../src/plan/plan.js';
import { loadSuite, type Suite } from '../../src/plan/suite.js';
import { fixtures, proctor } from '../support/cli.js';

const everything = path.join(fixtures, 'everything');

/** A real suite whose tasks are replaced by generated ones. */
const base = loadSuite(path.join(everything, 'eval.yaml'), { environment: {} }, new Problems());

interface Generated {
  name: string;
  parallel: boolean;
  runs?: number;
  labels: Record<string, string>;
}

function suiteOf(tasks: Generated[]): Suite {
  const [model] = base?.tasks ?? [];
  if (!base || !model) throw new Error('the base suite has no task');
  return {
    ...base,
    tasks: tasks.map((each) => ({
      definition: { ...model.definition, runs: 1, ...each },
      assertions: [],
      sets: [],
    })),
  };
}

const generated: fc.Arbitrary<Generated[]> = fc.uniqueArray(
  fc.record(
    {
      name: fc.stringMatching(/^[a-c]{1,4}$/),
      parallel: fc.boolean(),
      runs: fc.integer({ min: 1, max: 5 }),
      labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')),
    },
    { requiredKeys: ['name', 'parallel', 'labels', 'runs'] },
  ),
  { selector: ({ name }) => name, maxLength: 12 },
);

const filters = fc.record({
  run: fc.constantFrom(undefined, 'a', '^b', 'c$', '(?i)AB'),
  labels: fc.constantFrom(undefined, 'x=1', 'x=1,x=2', 'x=1,y=2', 'x=2,y=1,y=2'),
  runs: fc.constantFrom(undefined, 1, 3),
});

/** Durations of some of the tasks, of none, or of none that is there. */
const cuts = fc.record({
  of: fc.integer({ min: 1, max: 5 }),
  shardDurations: fc.option(
    fc
      .dictionary(fc.stringMatching(/^[a-d]{1,4}$/), fc.double({ min: 0, max: 1e6, noNaN: true }), {
        maxKeys: 40,
      })
      .map((durations) => ({ shardDurations: new Map(Object.entries(durations)) })),
    { nil: {} },
  ),
});

function optionsOf({
  run,
  labels,
  runs,
}: {
  run?: string | undefined;
  labels?: string | undefined;
  runs?: number | undefined;
}) {
  const options: PlanOptions = {};
  const compiled = run === undefined ? undefined : compilePattern(run);
  if (compiled?.ok) options.run = compiled.pattern;
  if (labels !== undefined) options.labels = parseLabelSelector(labels) as LabelSelector;
  if (runs !== undefined) options.runs = runs;
  return options;
}

/** What the words of the formats say, written another way. */
function expectedNames(
  tasks: Generated[],
  filter: { run?: string | undefined; labels?: string | undefined },
) {
  const pattern = filter.run?.startsWith('(?i)')
    ? new RegExp(filter.run.slice(4), 'i')
    : new RegExp(filter.run ?? '');
  const wanted = filter.labels?.split(',');
  const keys = [...new Set(wanted?.map((pair) => pair[0]))];
  return tasks
    .filter(({ name }) => pattern.test(name))
    .filter(({ labels }) =>
      keys.every((key) => wanted?.some((pair) => pair[0] === key && labels[key ?? ''] === pair[2])),
    );
}

describe('plans', () => {
  it('hold under every combination of filters and shards', () => {
    fc.assert(
      fc.property(generated, filters, cuts, (tasks, filter, { of, shardDurations }) => {
        const suite = suiteOf(tasks);
        const problems = new Problems();
        const whole = makePlan(suite, optionsOf(filter), problems);
        const expected = expectedNames(tasks, filter);
        const inOrder = [
          ...expected.filter((task) => !task.parallel),
          ...expected.filter((task) => task.parallel),
        ];
        expect(whole.taskRuns.map((each) => `${each.task.name}#${each.run}`)).toEqual(
          inOrder.flatMap(({ name, runs }) =>
            Array.from({ length: filter.runs ?? runs ?? 1 }, (_, index) => `${name}#${index + 1}`),
          ),
        );
        const nothing = problems.report().problems.some(({ code }) => code === 'nothing-selected');
        expect(nothing).toBe(expected.length === 0 && tasks.length > 0);

        const shards = Array.from({ length: of }, (_, index) =>
          makePlan(
            suite,
            { ...optionsOf(filter), shard: { index: index + 1, of }, ...shardDurations },
            new Problems(),
          ),
        );
        const key = (plan: typeof whole) =>
          plan.taskRuns.map(({ task, run }) => `${task.name}#${run}`);
        expect(shards.flatMap(key).sort()).toEqual(key(whole).sort());
        expect(new Set(shards.map(({ cut }) => cut?.digest)).size).toBe(1);
        for (const shard of shards) {
          expect(shard.tasks.map(({ name }) => name)).toEqual([
            ...new Set(shard.taskRuns.map(({ task }) => task.name)),
          ]);
        }
      }),
    );
  });

  it('refuses more task runs than it can hold', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      name: `t${index}`,
      parallel: true,
      labels: {},
    }));
    const problems = new Problems();
    expect(makePlan(suiteOf(many), { runs: 10_000 }, problems).taskRuns).toEqual([]);
    expect(problems.report().problems.map(({ code }) => code)).toEqual(['too-many-runs']);
  });
});

describe('limits', () => {
  const limits = async (...args: string[]) => {
    const { stdout } = await proctor(['list', 'eval.yaml', '-o', 'json', ...args], {
      cwd: everything,
    });
    const { tasks } = JSON.parse(stdout);
    return Object.fromEntries(
      tasks.map((each: { task: string; limits: { timeout: unknown; cleanupTimeout: unknown } }) => [
        each.task,
        each.limits,
      ]),
    );
  };

  it("come from the task, then the eval's defaults", async () => {
    expect(await limits()).toEqual({
      old: {
        timeout: { value: '1h30m', milliseconds: 5_400_000, from: { file: 'eval.yaml', line: 28 } },
        cleanupTimeout: {
          value: '1m30s',
          milliseconds: 90_000,
          from: { file: 'eval.yaml', line: 29 },
        },
      },
      steps: {
        timeout: {
          value: '10m',
          milliseconds: 600_000,
          from: { file: 'tasks/steps.yaml', line: 16 },
        },
        cleanupTimeout: {
          value: '1m',
          milliseconds: 60_000,
          from: { file: 'tasks/steps.yaml', line: 16 },
        },
      },
    });
  });

  it('options for all tasks win over everything', async () => {
    const found = await limits(
      '--task-timeout',
      '7s',
      '--cleanup-timeout',
      '8s',
      '--default-task-timeout',
      '9s',
    );
    for (const each of Object.values(found)) {
      expect(each).toMatchObject({
        timeout: { value: '7s', from: { option: '--task-timeout' } },
        cleanupTimeout: { value: '8s', from: { option: '--cleanup-timeout' } },
      });
    }
  });

  it("default options win over the eval's defaults, not over the task's own", async () => {
    const found = await limits('--default-task-timeout', '9s', '--default-cleanup-timeout', '3s');
    expect(found.old).toMatchObject({
      timeout: { value: '9s', from: { option: '--default-task-timeout' } },
      cleanupTimeout: { value: '3s', from: { option: '--default-cleanup-timeout' } },
    });
    expect(found.steps).toMatchObject({
      timeout: { value: '10m' },
      cleanupTimeout: { value: '1m' },
    });
  });
});
