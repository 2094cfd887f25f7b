import { describe, expect, it } from 'vitest';
import type { AgentCall } from '../assertions/check.js';
import { recheck } from './recheck.js';
import type { RecordedTaskRun } from './recorded-task-run.js';

const agentCall = (call: number, name: string, args?: unknown): AgentCall => ({
  call,
  kind: 'tool',
  server: 'pets',
  name,
  args,
  isError: false,
  blocked: false,
});

const recorded = (more: Partial<RecordedTaskRun> = {}): RecordedTaskRun => ({
  task: 'feed',
  variant: null,
  run: 1,
  outcome: 'passed',
  unfinished: undefined,
  assertions: [],
  calls: [],
  toolSteps: [],
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
    assertions: Object.entries(assertions).map(([key, expected]) => planned(key, expected)),
  }));
  return recheck(stream(), list, {
    evalFolder: '/suite',
    skillTool: () => 'Skill',
    redact: (text) => text,
    isLeftOut: (name) => name === 'left-out',
  });
}

describe('recheck', () => {
  it('judges what was recorded, and tells where the assertion is written', async () => {
    const { taskRuns } = await rechecked([recorded({ calls: [agentCall(1, 'feed')] })], {
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

  it('leaves out what covers nothing, and names tasks that nothing covers', async () => {
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
    expect(taskRuns).toEqual([
      { task: 'feed', run: 1, unfinished: 'setup failed: x', assertions: [], changed: [] },
    ]);
  });

  it('tells what is on one side only, but not what was not asked for', async () => {
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

  it('lets nothing pass that the record cannot tell', async () => {
    const { taskRuns } = await rechecked([recorded({ toolSteps: undefined })], {
      feed: { skillsNotLoaded: [{ skill: 'dogs' }] },
    });
    expect(taskRuns[0]?.assertions).toMatchObject([
      { passed: false, reason: 'the record does not tell which skills the agent loaded' },
    ]);
  });

  it.each([
    ['noDuplicateCalls', true, [1, 2]],
    ['toolsUsed', [{ server: 'pets', tool: 'login', args: { token: 'x' } }], [1]],
    ['toolsNotUsed', [{ server: 'pets', toolPattern: 'log', argumentsMatch: {} }], [1, 2]],
    ['toolsUsed', [{ server: 'pets', args: { token: 'x' } }], [1, 2]],
    ['toolsUsed', [{ server: 'other', args: { token: 'x' } }], undefined],
    ['toolsUsed', [{ server: 'pets', tool: 'login' }], undefined],
    ['maxToolCalls', 5, undefined],
  ])('says where redaction hides what %s %j compares', async (name, expected, calls) => {
    const deep = JSON.parse(`${'['.repeat(30_000)}"[redacted:KEY]"${']'.repeat(30_000)}`);
    const { taskRuns } = await rechecked(
      [
        recorded({
          calls: [
            agentCall(1, 'login', { token: '[redacted:TOKEN]' }),
            agentCall(2, 'logout', { deep }),
            agentCall(3, 'feed', { cat: 'Tom' }),
          ],
        }),
      ],
      { feed: { [name]: expected } },
    );
    expect(taskRuns[0]?.assertions[0]?.redactedCalls).toEqual(calls);
  });
});
