import { describe, expect, it } from 'vitest';
import { agentCall } from '../../../testing/agent-calls.js';
import type { AssertionResult } from '../schema/task-run-schema.js';
import { findAssertionChanges, recheck } from './recheck.js';
import type { RecordedAssertion, RecordedTaskRun } from './recorded-task-run.js';

const callWithArgs = (number: number, name: string, args?: unknown) =>
  agentCall(number, name, { server: 'pets', args });

const recorded = (more: Partial<RecordedTaskRun> = {}): RecordedTaskRun => ({
  task: 'feed',
  variant: null,
  run: 1,
  outcome: 'passed',
  unfinished: undefined,
  assertions: [],
  calls: [],
  toolSteps: [],
  judging: undefined,
  prompt: undefined,
  output: undefined,
  steps: [],
  random: undefined,
  ...more,
});

const planned = (name: string, expected: unknown) => ({
  name,
  expected,
  at: { file: '/suite/tasks/feed.yaml', line: 7 },
});

async function rechecked(taskRuns: RecordedTaskRun[], tasks: Record<string, object>) {
  async function* stream() {
    yield* taskRuns;
  }
  const list = Object.entries(tasks).map(([name, assertions]) => ({
    name,
    assertions: Array.isArray(assertions)
      ? assertions
      : Object.entries(assertions).map(([key, expected]) => planned(key, expected)),
    judging: { assertions: { toolsUsed: 'current digest' } },
  }));
  return recheck(stream(), list, {
    evalFolder: '/suite',
    skillTool: () => 'Skill',
    redact: (text) => text,
    isLeftOut: (name) => name === 'left-out',
  });
}

describe('recheck', () => {
  it('checks nothing where the name of a server is redacted', async () => {
    const call = { ...callWithArgs(1, 'feed'), server: '[redacted:PGPASSWORD]' };
    const { taskRuns } = await rechecked([recorded({ calls: [call] })], {
      feed: { toolsNotUsed: [{ server: 'pets', tool: 'feed' }] },
    });
    expect(taskRuns[0]).toMatchObject({
      unfinished: 'the name of a server is redacted in the record',
      assertions: [],
      changed: [],
    });
  });

  it('judges what was recorded, and says where the assertion is written', async () => {
    const { taskRuns } = await rechecked([recorded({ calls: [callWithArgs(1, 'feed')] })], {
      feed: { toolsUsed: [{ server: 'pets', tool: 'feed' }], maxToolCalls: 0 },
    });
    expect(taskRuns).toMatchObject([
      {
        task: 'feed',
        run: 1,
        assertions: [
          { name: 'toolsUsed', passed: true, calls: [1], at: { file: 'tasks/feed.yaml', line: 7 } },
          { name: 'maxToolCalls', passed: false, calls: [1] },
        ],
        changed: [{ change: 'new' }, { change: 'new' }],
      },
    ]);
  });

  it('leaves out vacuous assertions, and names tasks that no assertion covers', async () => {
    const { taskRuns, nothingToCheck } = await rechecked(
      [recorded(), recorded({ run: 2, unfinished: 'setup failed' })],
      { feed: { minToolCalls: 0, noDuplicateCalls: false } },
    );
    expect(taskRuns).toMatchObject([{ assertions: [] }, { assertions: [] }]);
    expect(taskRuns.some(({ unfinished }) => unfinished !== undefined)).toBe(false);
    expect(nothingToCheck).toEqual(['feed']);
  });

  it('does not judge an agent that did not finish', async () => {
    const { taskRuns } = await rechecked([recorded({ unfinished: 'setup failed: x' })], {
      feed: { toolsNotUsed: [{ server: 'pets', tool: 'sell' }] },
    });
    expect(taskRuns).toMatchObject([
      { task: 'feed', run: 1, unfinished: 'setup failed: x', assertions: [], changed: [] },
    ]);
  });

  it('reports what is on one side only, but not what was not asked for', async () => {
    const sides = await rechecked(
      ['feed', 'gone', 'left-out', 'gone'].map((task) => recorded({ task })),
      { feed: { maxToolCalls: 1 }, added: { maxToolCalls: 1 } },
    );
    expect(sides).toMatchObject({ notInEval: ['gone'], notRecorded: ['added'] });
    expect(sides.taskRuns).toHaveLength(1);
  });

  it('sees the skills that the agent loaded', async () => {
    const steps = [
      { tool: 'Bash', args: { command: 'ls' }, failed: false },
      { tool: 'Skill', args: { skill: 'cats' }, failed: false },
      { tool: 'Skill', args: { skill: 'ls' }, failed: true },
      { tool: 'Skill', args: null, failed: false },
    ];
    const { taskRuns } = await rechecked([recorded({ toolSteps: steps })], {
      feed: {
        skillsLoaded: [{ skill: 'cats' }],
        skillsNotLoaded: [{ skill: 'ls' }, { skill: 'dogs' }],
      },
    });
    // One that was refused counts as tried.
    expect(taskRuns[0]?.assertions.map(({ passed }) => passed)).toEqual([true, false]);
  });

  it('lets nothing pass that the record does not say', async () => {
    const { taskRuns } = await rechecked([recorded({ toolSteps: undefined })], {
      feed: { skillsNotLoaded: [{ skill: 'dogs' }] },
    });
    expect(taskRuns[0]?.assertions).toMatchObject([
      { passed: false, reason: 'the record does not say which skills the agent loaded' },
    ]);
  });

  describe('where a record is redacted', () => {
    const hidden = '[redacted:TOKEN]';
    const deep = JSON.parse(`${'['.repeat(30_000)}"${hidden}"${']'.repeat(30_000)}`);
    const calls = [
      callWithArgs(1, 'login', { token: hidden, user: 'Tom', 'x-[redacted:KEY]': 1 }),
      callWithArgs(2, 'login', { token: hidden, user: 'Ada', pin: hidden }),
      callWithArgs(3, 'logout', { deep }),
      callWithArgs(4, 'feed', { cat: 'Tom', note: `to ${hidden}.` }),
      callWithArgs(5, `walk-${hidden}`),
    ];
    const login = { server: 'pets', tool: 'login' };
    const withArgs = (args: object) => [{ ...login, args }];
    const ofCall = (call: number) => ({ certainty: 'unknown', redactedCalls: [1, 2, call] });

    it.each<[name: string, expected: unknown, verdict: object]>([
      // What is not redacted decides.
      ['toolsUsed', withArgs({ user: 'Tom' }), { passed: true }],
      ['toolsUsed', withArgs({ user: 'Bob' }), { passed: false }],
      ['toolsNotUsed', withArgs({ user: 'Tom' }), { passed: false }],
      ['toolsNotUsed', withArgs({ user: 'Bob', token: 'x' }), { passed: true }],
      ['toolsUsed', [{ server: 'other', args: { token: 'x' } }], { passed: false }],
      ['callOrder', [{ type: 'tool', ...login, name: 'login' }], { passed: true }],
      ['maxToolCalls', 5, { passed: true }],
      ['noDuplicateCalls', true, { passed: true }],
      [
        'toolsNotUsed',
        [{ server: 'pets', tool: 'feed', args: { note: 'for you' } }],
        { passed: true },
      ],
      // What is redacted decides.
      ['toolsUsed', withArgs({ token: 'x' }), ofCall(5)],
      ['toolsUsed', withArgs({ token: '/redacted/' }), ofCall(5)],
      ['toolsUsed', withArgs({ token: '/^sk-/' }), ofCall(5)],
      ['toolsUsed', withArgs({ pin: 12_345_678 }), ofCall(5)],
      ['toolsUsed', withArgs({ 'x-key': 1 }), ofCall(5)],
      ['requireAny', withArgs({ token: 'x' }), ofCall(5)],
      ['toolsNotUsed', withArgs({ token: 'x' }), ofCall(5)],
      [
        'toolsNotUsed',
        [{ server: 'pets', tool: 'feed', args: { note: 'to x.' } }],
        { certainty: 'unknown', redactedCalls: [4, 5] },
      ],
      [
        'toolsNotUsed',
        [{ server: 'pets', toolPattern: '^walk-home$' }],
        { certainty: 'unknown', redactedCalls: [5] },
      ],
    ])('%s %j', async (name, expected, verdict) => {
      const { taskRuns } = await rechecked([recorded({ calls })], { feed: { [name]: expected } });
      const [assertion] = taskRuns[0]?.assertions ?? [];
      expect(assertion).toMatchObject(verdict);
      if ('passed' in verdict) expect(assertion).not.toHaveProperty('certainty');
      else expect(assertion?.passed).toBe(false);
    });

    it('two calls that differ in a secret alone may be the same one or not', async () => {
      const equal = [1, 2].map((call) => callWithArgs(call, 'login', { token: hidden }));
      const { taskRuns } = await rechecked([recorded({ calls: equal })], {
        feed: { noDuplicateCalls: true },
      });
      expect(taskRuns[0]?.assertions).toMatchObject([{ certainty: 'unknown' }]);
      expect(taskRuns[0]?.changed).toEqual([]);
    });

    it.each([true, false])(
      'an assertion that did not change keeps its verdict: %s',
      async (passed) => {
        for (const [digest, certainty] of [
          ['current digest', 'as-recorded'],
          ['another digest', 'unknown'],
        ]) {
          const then = { name: 'toolsUsed', passed, reason: 'so it was', at: null };
          const judging = { assertions: { toolsUsed: digest ?? '' } };
          const { taskRuns } = await rechecked([recorded({ calls, assertions: [then], judging })], {
            feed: { toolsUsed: withArgs({ token: 'x' }) },
          });
          const isKept = certainty === 'as-recorded';
          expect(taskRuns[0]?.assertions).toMatchObject([{ certainty, passed: isKept && passed }]);
          expect(taskRuns[0]?.changed).toEqual([]);
        }
      },
    );

    it.each([
      [[false, true], 'unknown', false, 'it depends on what is redacted in the record of calls'],
      [[false, false], 'as-recorded', false, 'first; or second'],
      [[true, true], 'as-recorded', true, 'first; or second'],
    ] as const)(
      'of several of one name that may have changed places, verdicts %j make it %s',
      async (verdicts, certainty, passed, reason) => {
        const assertions = verdicts.map((each, index) => ({
          name: 'toolsUsed',
          passed: each,
          reason: index === 0 ? 'first' : 'second',
          at: null,
        }));
        const judging = { assertions: { toolsUsed: 'current digest' } };
        const { taskRuns } = await rechecked([recorded({ calls, assertions, judging })], {
          feed: [
            planned('toolsUsed', withArgs({ token: 'x' })),
            planned('toolsUsed', withArgs({ token: 'y' })),
          ],
        });
        const verdict = { certainty, passed, reason: expect.stringContaining(reason) };
        expect(taskRuns[0]).toMatchObject({ assertions: [verdict, verdict], changed: [] });
      },
    );
  });
});

describe('findAssertionChanges', () => {
  const recorded = (name: string, passed: boolean, file?: string): RecordedAssertion => ({
    name,
    passed,
    reason: 'then',
    at: file === undefined ? null : { file, line: 3 },
  });
  const rechecked = (
    name: string,
    passed: boolean,
    file = 'eval.yaml',
    line = 9,
  ): AssertionResult => ({
    name,
    passed,
    reason: 'now',
    details: [],
    at: { file, line },
    calls: [],
  });

  it('compares what has the same key, whatever line it is on', () => {
    const then = ['a', 'b', 'c', 'd'].map((name) => recorded(name, name < 'c', 'eval.yaml'));
    const now = [
      rechecked('a', true),
      rechecked('b', false),
      rechecked('c', true),
      rechecked('e', true),
    ];
    expect(findAssertionChanges(then, now)).toEqual([
      {
        name: 'b',
        change: 'now-fails',
        at: { file: 'eval.yaml', line: 9 },
        before: { passed: true, reason: 'then' },
        after: { passed: false, reason: 'now' },
      },
      expect.objectContaining({ name: 'c', change: 'now-holds' }),
      expect.objectContaining({ name: 'e', change: 'new', before: null }),
      expect.objectContaining({ name: 'd', change: 'removed', at: null, after: null }),
    ]);
  });

  it('keeps the same key in two files apart, and finds what has moved', () => {
    const then = [recorded('a', true, 'eval.yaml'), recorded('a', false, 'tasks/x.yaml')];
    expect(
      findAssertionChanges(then, [rechecked('a', false, 'tasks/x.yaml'), rechecked('a', true)]),
    ).toEqual([]);
    expect(findAssertionChanges(then.slice(0, 1), [rechecked('a', true, 'tasks/x.yaml')])).toEqual(
      [],
    );
  });

  it('takes several of one file in their order', () => {
    const then = [recorded('a', true, 'eval.yaml'), recorded('a', false, 'eval.yaml')];
    const now = [rechecked('a', true, 'eval.yaml', 1), rechecked('a', false, 'eval.yaml', 20)];
    expect(findAssertionChanges(then, now)).toEqual([]);
  });

  it('compares with verdicts that have no place', () => {
    expect(findAssertionChanges([recorded('a', false)], [rechecked('a', true)])).toMatchObject([
      { change: 'now-holds' },
    ]);
  });
});
