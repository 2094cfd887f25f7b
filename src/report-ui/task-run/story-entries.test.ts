import { describe, expect, it } from 'vitest';
import { callRecord, taskRunRecord } from '../../../testing/task-run-records.js';
import { makeStory } from '../../analysis/story/story.js';
import { mcpcheckerTaskRunSchema } from '../../results/mcpchecker/schema.js';
import { convertMcpcheckerTaskRun, FreeRunNumbers } from '../../results/mcpchecker/task-run.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import {
  filterStory,
  findEvidenceKey,
  findNeighbouringCall,
  findStoryTarget,
  formatStoryKey,
  isOpenAtFirst,
  parseAssertionKey,
  type ShownEntry,
  splitStory,
} from './story-entries.js';

const step = {
  step: 2,
  kind: 'script',
  at: null,
  passed: false,
  outcome: 'failed' as const,
  outputs: {},
  durationMs: 5,
};

const assertion = { reason: '', details: [], at: null, calls: [1] };

function evidence(more: Partial<TaskRunRecord>): string | null {
  const taskRun = taskRunRecord({ outcome: 'failed', ...more });
  return findEvidenceKey(taskRun, filterStory(makeStory(taskRun)));
}

function failure(category: 'assertion-failed' | 'verification-failed' | 'timeout', seq: number) {
  return { category, message: 'it failed', evidence: seq };
}

describe('formatStoryKey', () => {
  it('every entry of a story has its own key', () => {
    const taskRun = taskRunRecord({
      calls: [callRecord(), callRecord({ call: 2, seq: 11 })],
      output: 'done',
      warnings: [{ seq: 3, code: 'server-stderr', message: 'x' }],
    });
    const keys = filterStory(makeStory(taskRun)).map(formatStoryKey);
    expect(keys).toEqual(expect.arrayContaining(['phase-agent', 'call-1', 'call-2', 'warning-3']));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('filterStory', () => {
  it('a story leaves out phases without content, and no others', () => {
    const nothing = { outcome: 'passed' as const, durationMs: null, steps: [] };
    const taskRun = taskRunRecord({
      phases: {
        setup: nothing,
        agent: { ...nothing, durationMs: 5 },
        verify: { ...nothing, outcome: 'failed', message: 'it never began' },
        cleanup: nothing,
      },
    });
    expect(filterStory(makeStory(taskRun)).map(formatStoryKey)).toEqual([
      'phase-agent',
      'phase-verify',
    ]);
  });
});

describe('findEvidenceKey', () => {
  const phases = {
    setup: null,
    agent: { outcome: 'passed' as const, durationMs: 5, steps: [] },
    verify: { outcome: 'failed' as const, durationMs: 5, steps: [{ ...step, seq: 42 }] },
    cleanup: null,
  };

  it('the evidence of a failure is the event that it names', () => {
    expect(evidence({ phases, failure: failure('verification-failed', 42) })).toBe('step-verify-2');
  });

  it('the evidence of a failed assertion is the first one that did not hold', () => {
    const assertions = [
      { ...assertion, name: 'a', passed: true },
      { ...assertion, name: 'b', passed: false },
    ];
    expect(evidence({ assertions, failure: failure('assertion-failed', 99) })).toBe('assertion-2');
  });

  it('the evidence is what failed, where no event has the number', () => {
    expect(evidence({ phases, failure: failure('timeout', 7777) })).toBe('step-verify-2');
    const agent = { outcome: 'timeout' as const, durationMs: 5, steps: [] };
    const late = failure('timeout', 7777);
    expect(evidence({ phases: { ...phases, agent }, failure: late })).toBe('phase-agent');
  });

  it('the evidence in results of mcpchecker, which have no events, is the failed step', () => {
    const call = { serverName: 'pets', name: 'feed', success: true };
    const result = mcpcheckerTaskRunSchema.parse({
      taskName: 'feed',
      taskPassed: false,
      callHistory: { ToolCalls: [call, call] },
      agentOutput: { Success: true, Steps: [{ type: 'message', message: 'done' }] },
      verifyOutput: {
        Success: false,
        Steps: [
          { type: 'script', success: true },
          { type: 'llmJudge', success: false, error: 'too short' },
        ],
      },
    });
    const taskRun = convertMcpcheckerTaskRun(result, new FreeRunNumbers());
    expect(findEvidenceKey(taskRun, filterStory(makeStory(taskRun)))).toBe('step-verify-2');
  });

  it('a passed task run has no evidence of a failure', () => {
    expect(evidence({ outcome: 'passed' })).toBeNull();
  });
});

describe('parseAssertionKey', () => {
  it('reads the place of an assertion from its key', () => {
    expect(parseAssertionKey('assertion-3')).toBe(2);
    for (const key of [null, '', 'call-3', 'assertion-', 'assertion-1e9']) {
      expect(parseAssertionKey(key)).toBeUndefined();
    }
  });
});

const call = (number: number): ShownEntry => ({
  kind: 'call',
  call: callRecord({ call: number }),
  startMs: null,
});
const said: ShownEntry = { kind: 'message', seq: 5, text: 'hello' };
const ownCall: ShownEntry = { kind: 'own-call', seq: 8, tool: 'Bash' };
const story = [said, call(1), ownCall, call(2), call(3)];

describe('findStoryTarget', () => {
  const target = (key: string | null, marked: number[] = []) =>
    findStoryTarget(story, key, new Set(marked))?.key;

  it('a key leads to the entry that it names', () => {
    expect(target('call-2')).toBe('call-2');
    expect(target('agent-5')).toBe('agent-5');
  });

  it('the key of an assertion leads to the first call that it points at', () => {
    expect(target('assertion-1', [3, 2])).toBe('call-2');
    expect(target('assertion-1', [0])).toBe('agent-8');
  });

  it('an unknown key leads to no entry', () => {
    expect(target(null)).toBeUndefined();
    expect(target('call-9')).toBeUndefined();
    expect(target('assertion-1')).toBeUndefined();
  });
});

describe('findNeighbouringCall', () => {
  it('goes from call to call, skipping other entries', () => {
    expect(findNeighbouringCall(story, undefined, 1)).toBe('call-1');
    expect(findNeighbouringCall(story, 1, 1)).toBe('call-2');
    expect(findNeighbouringCall(story, 3, -1)).toBe('call-1');
    expect(findNeighbouringCall(story, undefined, -1)).toBe('call-3');
  });

  it('there is no call before the first and after the last', () => {
    expect(findNeighbouringCall(story, 4, 1)).toBeUndefined();
    expect(findNeighbouringCall(story, 1, -1)).toBeUndefined();
  });
});

it('a long story is split into parts that contain every entry', () => {
  expect(splitStory(0)).toEqual([]);
  expect(splitStory(100)).toEqual([{ start: 0, end: 100 }]);
  expect(splitStory(201)).toEqual([
    { start: 0, end: 100 },
    { start: 100, end: 200 },
    { start: 200, end: 201 },
  ]);
});

it('a short story is open at first, of a long one the beginning and the end', () => {
  const open = (parts: number) =>
    Array.from({ length: parts }, (_, part) => isOpenAtFirst(part, parts));
  expect(open(3)).toEqual([true, true, true]);
  expect(open(5)).toEqual([true, false, false, false, true]);
});
