import { expect, it } from 'vitest';
import type { Retry } from '../../analysis/tools/tool-usage.js';
import { groupRetries } from './tool-tables.js';

function retry(run: number, changed: string[], error: string, worked = true): Retry {
  return { task: 'restock', run, failed: 2, again: 3, error, changed, worked };
}

it('retries after the same mistake are grouped, the most frequent first', () => {
  const groups = groupRetries([
    retry(1, ['shelf'], 'no such shelf'),
    retry(2, ['text'], 'text is required'),
    retry(3, ['text'], 'text is required', false),
    retry(4, ['text', 'name'], 'text is required'),
  ]);
  expect(groups.map(({ changed, worked, retries }) => [changed, worked, retries.length])).toEqual([
    [['text'], 1, 2],
    [['shelf'], 1, 1],
    [['text', 'name'], 1, 1],
  ]);
});
