import type { ResultsHeader } from '../../src/results/results-header.js';
import type { CallRecord, TaskRunRecord } from '../../src/results/task-run-record.js';

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
