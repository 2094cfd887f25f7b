import { expect, it } from 'vitest';
import { taskRunRecord } from '../../../../test/support/task-run-record.js';
import type { TaskRunRecord } from '../../../results/task-run-record.js';
import { chooseFigures } from '../../check/live/terminal-line.js';
import { headLines } from './task-run-head.js';

function head(more: Partial<TaskRunRecord>): string {
  const look = {
    style: (_format: unknown, text: string) => text,
    signs: chooseFigures({ LANG: 'en_GB.UTF-8' }),
    width: 80,
    maxLines: 10,
    maxEvents: 10,
    maxLineLength: undefined,
    hasTimeline: true,
  };
  return headLines(taskRunRecord(more), {}, look).join('\n');
}

it('tells which worker did it', () => {
  expect(head({})).not.toContain(' on ');
  expect(head({ worker: 'gpu-1', attempt: 2 })).toMatch(/^.* attempt 2 {2}on gpu-1$/m);
});

it('tells how much of the time was waiting', () => {
  expect(head({ durationMs: 20_500 })).toContain('\n  20.5 s, ');
  expect(head({ durationMs: 20_500, waitedMs: 4_200 })).toContain('\n  20.5 s (waited 4.2 s), ');
});
