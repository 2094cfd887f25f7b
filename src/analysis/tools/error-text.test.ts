import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { failedCall } from '../../testing/task-run-records.js';
import { errorTextOf } from './error-text.js';

const megabyte = 1_000_000;

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

it('keeps nothing of a long error but its beginning', () => {
  const before = heapInUse();
  const texts = Array.from({ length: 50 }, (_, index) =>
    errorTextOf(failedCall(`error ${index}: ${'x'.repeat(megabyte)}`)),
  );
  expect(heapInUse() - before).toBeLessThan(10 * megabyte);
  expect(texts.at(-1)).toMatch(/^error 49: x{1990}$/);
});
