import fc from 'fast-check';
import type { ResultsFile } from '../src/results/results-file.js';
import type { ResultsHeader } from '../src/results/results-header.js';
import type {
  AssertionRecord,
  CallRecord,
  StepPhaseRecord,
  TaskRunRecord,
} from '../src/results/task-run-record.js';

/** A task run that passed, but for what is said. */
export function taskRunRecord(more: Partial<TaskRunRecord> = {}): TaskRunRecord {
  return {
    id: 'feed-1',
    task: 'feed',
    path: 'tasks/feed.yaml',
    difficulty: null,
    labels: {},
    variant: null,
    run: 1,
    runs: 1,
    attempt: 1,
    prompt: 'Feed the cat',
    outcome: 'passed',
    failure: null,
    verified: true,
    assertionsHeld: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
    output: '',
    phases: {
      setup: null,
      agent: { outcome: 'passed', durationMs: 500, steps: [] },
      verify: null,
      cleanup: null,
    },
    assertions: [],
    calls: [],
    callCounts: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
    usage: null,
    cost: null,
    judge: null,
    permissionDenials: [],
    cleanupFailed: false,
    warnings: [],
    ...more,
  };
}

/** A call of `pets.feed` that worked, but for what is said. */
export function callRecord(more: Partial<CallRecord> = {}): CallRecord {
  return {
    seq: 10,
    call: 1,
    kind: 'tool',
    server: 'pets',
    name: 'feed',
    args: null,
    result: { content: [{ type: 'text', text: 'fed' }] },
    error: null,
    isError: false,
    blocked: false,
    startedAt: '2026-01-01T00:00:00.100Z',
    durationMs: 10,
    tokens: null,
    ...more,
  };
}

/** A call that failed with a text. */
export function failedCall(text: string, more: Partial<CallRecord> = {}): CallRecord {
  const result = { content: [{ type: 'text', text }], isError: true };
  return callRecord({ result, isError: true, ...more });
}

export function resultsHeader(more: Partial<ResultsHeader> = {}): ResultsHeader {
  return {
    kind: 'results',
    id: 'evaluation-1',
    evaluations: ['evaluation-1'],
    merged: false,
    shards: [],
    reruns: [],
    eval: { name: 'pets', file: 'eval.yaml' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
    agent: { name: 'scripted', type: 'scripted' },
    variants: [],
    judge: null,
    mcpServers: [],
    finished: true,
    interrupted: false,
    bailed: false,
    budget: null,
    planned: 1,
    open: [],
    warnings: [],
    ...more,
  };
}

/** Text with everything that some format has a meaning for. */
export const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('<', '>', '&', '"', "'", ']]>', '\r', '\n', '\t', '%', '::', '##[', ',', '='),
    fc.constantFrom('\u0000', '\u001b', '\u007f', '\ud800', '\udc00', '\ufffe', '\uffff', '\u2028'),
    fc.constantFrom('__proto__', 'constructor', '\\', '#', '|', '`', '-', '+', '@', ' ', '\u202e'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
  ),
  maxLength: 12,
});

const outcome = fc.constantFrom('passed', 'failed', 'timeout', 'error', 'cancelled' as const);
const category = fc.constantFrom(
  ...(['verification-failed', 'setup-failed', 'judge-error', 'agent-failed'] as const),
);
const name = hostileText.filter((text) => text !== '__proto__');

const assertion: fc.Arbitrary<AssertionRecord> = fc.record({
  name,
  passed: fc.boolean(),
  reason: hostileText,
  details: fc.array(hostileText, { maxLength: 2 }),
  at: fc.option(fc.record({ file: hostileText, line: fc.integer({ min: 1 }) })),
  calls: fc.constant([]),
});

const call: fc.Arbitrary<CallRecord> = fc
  .record({
    kind: fc.constantFrom('tool', 'resource', 'prompt' as const),
    server: hostileText,
    name: hostileText,
    args: fc.option(fc.dictionary(name, fc.jsonValue(), { maxKeys: 2, noNullPrototype: true })),
    isError: fc.boolean(),
    time: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ time, ...rest }) => ({
    seq: 1,
    call: 1,
    ...rest,
    args: rest.kind === 'resource' ? null : rest.args,
    result: rest.isError ? null : { content: [{ type: 'text', text: rest.name }] },
    error: rest.isError ? { code: -32603, message: `no ${rest.name}` } : null,
    blocked: false,
    startedAt: new Date(Date.UTC(2026, 0, 1) + time).toISOString(),
    durationMs: 12,
    tokens: { args: 1, result: 2 },
  }));

const verify: fc.Arbitrary<StepPhaseRecord | null> = fc.option(
  fc.record({ passed: fc.boolean(), kind: hostileText, message: hostileText }).map((step) => ({
    outcome: step.passed ? 'passed' : 'failed',
    durationMs: 5,
    steps: [
      {
        seq: 3,
        step: 1,
        ...step,
        at: { file: 'tasks/a.yaml', line: 7 },
        outcome: step.passed ? 'passed' : 'failed',
        outputs: {},
        durationMs: 5,
      },
    ],
  })),
);

/** A task run that makes sense: what it says of itself fits together. */
export const anyTaskRun: fc.Arbitrary<TaskRunRecord> = fc
  .record({
    task: hostileText,
    run: fc.integer({ min: 1, max: 3 }),
    outcome,
    category,
    message: hostileText,
    output: hostileText,
    labels: fc.dictionary(name, hostileText, { maxKeys: 2, noNullPrototype: true }),
    difficulty: fc.option(hostileText.filter((text) => text !== '')),
    durationMs: fc.option(fc.nat(100_000)),
    attempt: fc.integer({ min: 1, max: 3 }),
    assertions: fc.array(assertion, { maxLength: 3 }),
    calls: fc.array(call, { maxLength: 4 }),
    verify,
  })
  .map(({ category, message, verify, calls, ...run }) => {
    const assertions =
      run.outcome === 'passed'
        ? run.assertions.map((each) => ({ ...each, passed: true }))
        : run.assertions;
    const held = assertions.every(({ passed }) => passed);
    const failure = { category, message, evidence: 1 };
    const verifyFailed = run.outcome === 'failed' && held;
    return taskRunRecord({
      ...run,
      runs: 3,
      assertions,
      calls: calls.map((each, index) => ({ ...each, seq: index + 1, call: index + 1 })),
      assertionsHeld: assertions.length > 0 ? held : null,
      verified: run.outcome === 'passed' ? true : verifyFailed ? false : null,
      failure: run.outcome === 'passed' ? null : failure,
      phases: { setup: null, agent: null, verify, cleanup: null },
    });
  });

/** Results that are in no file. */
export function resultsOf(
  taskRuns: readonly TaskRunRecord[],
  over: Partial<ResultsHeader> = {},
): ResultsFile {
  return {
    path: 'out.json',
    header: resultsHeader({ planned: null, ...over }),
    leftOut: () => ({ count: 0, parts: [] }),
    async *taskRuns() {
      yield* taskRuns;
    },
  };
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
