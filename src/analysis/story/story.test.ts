import { describe, expect, it } from 'vitest';
import { callRecord, taskRunRecord } from '../../../testing/task-run-records.js';
import type { AgentStepRecord, CallRecord, TaskRunRecord } from '../../results/task-run-record.js';
import { makeStory } from './story.js';
import type { StoryEntry } from './story-entry.js';

function agentRun(
  steps: Omit<AgentStepRecord, 'seq'>[],
  calls: CallRecord[] = [],
  more: Partial<TaskRunRecord> = {},
) {
  // As in a journal: a call comes after the step that mentions it.
  const numbered = steps.map((step, index) => ({ ...step, seq: 10 * (index + 1) }));
  const agent = { outcome: 'passed' as const, durationMs: 500, steps: numbered };
  const phases = { setup: null, agent, verify: null, cleanup: null };
  return taskRunRecord({ phases, calls, ...more });
}

function words(entry: StoryEntry): string {
  switch (entry.kind) {
    case 'phase':
      return entry.phase;
    case 'call':
      return `call ${entry.call.call} ${entry.call.name}`;
    case 'own-call':
      return `own ${entry.tool}`;
    case 'step':
      return `${entry.phase} step ${entry.step.step}`;
    case 'message':
    case 'thinking':
    case 'log':
    case 'answer':
      return `${entry.kind} ${entry.text}`;
    case 'warning':
      return `warning ${entry.warning.message}`;
    case 'assertion':
      return `assertion ${entry.assertion.name}`;
    default:
      return entry.kind;
  }
}

const inWords = (taskRun: TaskRunRecord) => makeStory(taskRun).map(words);

describe('a call that the agent reports', () => {
  it.each([
    'mcp__pets__feed',
    'mcp_pets_feed',
    'pets_feed',
    'pets-feed',
    'pets.feed',
    'feed (pets MCP Server)',
    'Tool: pets/feed',
    'feed',
  ])('as %s stands in the story once', (tool) => {
    const taskRun = agentRun(
      [
        { kind: 'message', text: 'I feed it.' },
        { kind: 'tool-call', tool, id: '1', args: { pet: 'cat' } },
        { kind: 'tool-result', id: '1', isError: false, text: 'fed' },
        { kind: 'message', text: 'Done.' },
      ],
      [callRecord({ seq: 25, args: { pet: 'cat' } })],
    );
    expect(inWords(taskRun)).toEqual([
      'agent',
      'message I feed it.',
      'call 1 feed',
      'message Done.',
    ]);
  });

  it('under a bare name with other arguments is a tool of its own', () => {
    const taskRun = agentRun(
      [{ kind: 'tool-call', tool: 'feed', args: { pet: 'dog' } }],
      [callRecord({ seq: 15, args: { pet: 'cat' } })],
    );
    expect(inWords(taskRun)).toEqual(['agent', 'own feed', 'call 1 feed']);
  });

  it('is found by its arguments among calls that were under way at once', () => {
    const taskRun = agentRun(
      [
        { kind: 'tool-call', tool: 'mcp__pets__feed', args: { pet: 'dog' } },
        { kind: 'tool-call', tool: 'mcp__pets__feed', args: { pet: 'cat' } },
      ],
      [
        callRecord({ call: 1, seq: 21, args: { pet: 'cat' } }),
        callRecord({ call: 2, seq: 22, args: { pet: 'dog' } }),
      ],
    );
    expect(inWords(taskRun)).toEqual(['agent', 'call 2 feed', 'call 1 feed']);
  });

  it('of a resource or a prompt stands in the story once', () => {
    const taskRun = agentRun(
      [
        { kind: 'tool-call', tool: 'pets.resources/read', args: { uri: 'pets://cat' } },
        { kind: 'tool-call', tool: 'get_prompt', args: { name: 'greet' } },
      ],
      [
        callRecord({ call: 1, seq: 15, kind: 'resource', name: 'pets://cat' }),
        callRecord({ call: 2, seq: 25, kind: 'prompt', name: 'greet' }),
      ],
    );
    expect(inWords(taskRun)).toEqual(['agent', 'call 1 pets://cat', 'call 2 greet']);
  });

  it.each(['{"toString":1}', `${'['.repeat(30_000)}${']'.repeat(30_000)}`])(
    'of a resource whose address is none is one of its own',
    (json) => {
      const uri: unknown = JSON.parse(json);
      const taskRun = agentRun([
        { kind: 'tool-call', tool: 'read_resource', args: { uri } },
        { kind: 'tool-call', tool: 'get_prompt', args: { name: uri } },
      ]);
      expect(inWords(taskRun)).toEqual(['agent', 'own read_resource', 'own get_prompt']);
    },
  );

  it('has arguments that are nested without end', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`);
    const taskRun = agentRun(
      [{ kind: 'tool-call', tool: 'feed', args: deep }],
      [callRecord({ seq: 15, args: deep })],
    );
    expect(inWords(taskRun)).toEqual(['agent', 'call 1 feed']);
  });
});

describe('a tool of the agent itself', () => {
  it('has its result', () => {
    const taskRun = agentRun([
      { kind: 'tool-call', tool: 'Bash', id: 'b', args: { command: 'ls' } },
      { kind: 'tool-result', id: 'b', isError: true, text: 'no such file' },
    ]);
    expect(makeStory(taskRun)[1]).toEqual({
      kind: 'own-call',
      seq: 10,
      tool: 'Bash',
      args: { command: 'ls' },
      result: { text: 'no such file', isError: true },
    });
  });
});

describe('a call that the agent does not report', () => {
  it('comes where it ended', () => {
    const taskRun = agentRun(
      [
        { kind: 'message', text: 'one' },
        { kind: 'message', text: 'two' },
      ],
      [callRecord({ seq: 15 }), callRecord({ call: 2, seq: 25, name: 'pet' })],
    );
    const entries = ['agent', 'message one', 'call 1 feed', 'message two', 'call 2 pet'];
    expect(inWords(taskRun)).toEqual(entries);
  });

  it('has its time since the task run began', () => {
    const [, call] = makeStory(agentRun([], [callRecord()]));
    expect(call).toMatchObject({ kind: 'call', startMs: 100 });
    const [, untimed] = makeStory(agentRun([], [callRecord({ startedAt: null })]));
    expect(untimed).toMatchObject({ kind: 'call', startMs: null });
  });

  it('is in the story even where results have no steps of the agent', () => {
    const phases = { setup: null, agent: null, verify: null, cleanup: null };
    const taskRun = taskRunRecord({ phases, calls: [callRecord()] });
    expect(inWords(taskRun)).toEqual(['agent', 'call 1 feed']);
  });
});

describe('a story', () => {
  const step = (seq: number, number: number, more = {}) => ({
    seq,
    step: number,
    kind: 'script',
    at: null,
    passed: true,
    outcome: 'passed' as const,
    outputs: {},
    durationMs: 1,
    ...more,
  });
  const judgement = {
    mode: 'contains' as const,
    reference: 'fed',
    passed: true,
    reason: 'it says so',
    failureCategory: 'n/a' as const,
    votes: [],
  };
  const phase = (steps: ReturnType<typeof step>[], durationMs: number | null = 100) => ({
    outcome: 'passed' as const,
    durationMs,
    steps,
  });
  const taskRun = taskRunRecord({
    outcome: 'failed',
    output: 'The cat is fed.',
    failure: { category: 'assertion-failed', message: 'no', evidence: 50 },
    phases: {
      setup: phase([step(5, 1)]),
      agent: { outcome: 'passed', durationMs: 500, steps: [] },
      verify: phase([step(30, 1, { judgement })]),
      cleanup: phase([step(60, 1)]),
    },
    calls: [callRecord({ seq: 10 })],
    assertions: [
      { name: 'toolsUsed', passed: false, reason: 'no', details: [], at: null, calls: [1] },
    ],
    warnings: [
      { seq: 12, code: 'server-log', message: 'odd' },
      { seq: 55, code: 'server-log', message: 'late' },
    ],
  });

  it('goes through the phases, and ends with why it did not pass', () => {
    expect(inWords(taskRun)).toEqual([
      'setup',
      'setup step 1',
      'agent',
      'call 1 feed',
      'answer The cat is fed.',
      'warning odd',
      'verify',
      'verify step 1',
      'judgement',
      'warning late',
      'assertion toolsUsed',
      'cleanup',
      'cleanup step 1',
      'failure',
    ]);
  });

  it('has warnings also where no phase was reached', () => {
    const phases = { setup: null, agent: null, verify: null, cleanup: null };
    expect(inWords({ ...taskRun, phases, calls: [], output: '', assertions: [] })).toEqual([
      'warning odd',
      'warning late',
      'failure',
    ]);
  });

  it('knows when phases began as long as their durations are known', () => {
    const starts = (run: TaskRunRecord) =>
      makeStory(run).flatMap((entry) => (entry.kind === 'phase' ? [entry.startMs] : []));
    expect(starts(taskRun)).toEqual([0, 100, 600, 700]);
    const untimed = { ...taskRun, phases: { ...taskRun.phases, setup: phase([], null) } };
    expect(starts(untimed)).toEqual([0, null, null, null]);
  });

  it('does not repeat an answer that the agent said last', () => {
    const said = agentRun([{ kind: 'message', text: 'Fed. ' }], [], { output: 'Fed.' });
    expect(inWords(said)).toEqual(['agent', 'message Fed. ']);
  });
});
