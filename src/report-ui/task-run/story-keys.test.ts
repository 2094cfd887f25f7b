import { describe, expect, it } from 'vitest';
import { storyOf } from '../../analysis/story/story.js';
import { FreeRunNumbers } from '../../results/mcpchecker/free-run-numbers.js';
import { recordFromMcpchecker } from '../../results/mcpchecker/task-run-record.js';
import { mcpcheckerTaskRunSchema } from '../../results/mcpchecker/task-run-schema.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { callRecord, taskRunRecord } from '../../testing/task-run-records.js';
import { assertionOfKey, evidenceKey, shownStory, storyKey } from './story-keys.js';

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
  return evidenceKey(taskRun, shownStory(storyOf(taskRun)));
}

function failure(category: 'assertion-failed' | 'verification-failed' | 'timeout', seq: number) {
  return { category, message: 'it failed', evidence: seq };
}

describe('storyKey', () => {
  it('is another one for each entry', () => {
    const taskRun = taskRunRecord({
      calls: [callRecord(), callRecord({ call: 2, seq: 11 })],
      output: 'done',
      warnings: [{ seq: 3, code: 'server-stderr', message: 'x' }],
    });
    const keys = shownStory(storyOf(taskRun)).map(storyKey);
    expect(keys).toEqual(expect.arrayContaining(['phase-agent', 'call-1', 'call-2', 'warning-3']));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('shownStory', () => {
  it('leaves out a phase that tells nothing, and no other', () => {
    const nothing = { outcome: 'passed' as const, durationMs: null, steps: [] };
    const taskRun = taskRunRecord({
      phases: {
        setup: nothing,
        agent: { ...nothing, durationMs: 5 },
        verify: { ...nothing, outcome: 'failed', message: 'it never began' },
        cleanup: nothing,
      },
    });
    expect(shownStory(storyOf(taskRun)).map(storyKey)).toEqual(['phase-agent', 'phase-verify']);
  });
});

describe('evidenceKey', () => {
  const phases = {
    setup: null,
    agent: { outcome: 'passed' as const, durationMs: 5, steps: [] },
    verify: { outcome: 'failed' as const, durationMs: 5, steps: [{ ...step, seq: 42 }] },
    cleanup: null,
  };

  it('is the event that the failure names', () => {
    expect(evidence({ phases, failure: failure('verification-failed', 42) })).toBe('step-verify-2');
  });

  it('is the first assertion that did not hold, as its event is not in the results', () => {
    const assertions = [
      { ...assertion, name: 'a', passed: true },
      { ...assertion, name: 'b', passed: false },
    ];
    expect(evidence({ assertions, failure: failure('assertion-failed', 99) })).toBe('assertion-2');
  });

  it('is what failed, where no event has that number', () => {
    expect(evidence({ phases, failure: failure('timeout', 7777) })).toBe('step-verify-2');
    const agent = { outcome: 'timeout' as const, durationMs: 5, steps: [] };
    const late = failure('timeout', 7777);
    expect(evidence({ phases: { ...phases, agent }, failure: late })).toBe('phase-agent');
  });

  it('is the step that failed in results of mcpchecker, which have no events', () => {
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
    const taskRun = recordFromMcpchecker(result, new FreeRunNumbers());
    expect(evidenceKey(taskRun, shownStory(storyOf(taskRun)))).toBe('step-verify-2');
  });

  it('is nowhere for what passed', () => {
    expect(evidence({ outcome: 'passed' })).toBeNull();
  });
});

describe('assertionOfKey', () => {
  it('reads what stands in an address', () => {
    expect(assertionOfKey('assertion-3')).toBe(2);
    for (const key of [null, '', 'call-3', 'assertion-', 'assertion-1e9']) {
      expect(assertionOfKey(key)).toBeUndefined();
    }
  });
});
