import { expect, test } from 'vitest';
import { labelQueueFor, labelQueuesFor, queuesOpenTo } from './label-queues.js';

const gpu = { cluster: 'gpu' };
const both = { zone: 'eu', cluster: 'gpu' };

test('the same labels are one queue, whatever their order', () => {
  expect(labelQueueFor(both)).toEqual(labelQueueFor({ cluster: 'gpu', zone: 'eu' }));
  expect(labelQueuesFor([{}, gpu, {}, gpu, both])).toHaveLength(3);
});

test('other labels are another queue', () => {
  const names = [{}, gpu, both, { cluster: 'cpu' }].map((labels) => labelQueueFor(labels).name);
  expect(new Set(names).size).toBe(4);
});

test('a worker takes from queues that ask for nothing that it does not have', () => {
  const queues = labelQueuesFor([{}, gpu, both]);
  const open = (labels: Record<string, string>) =>
    queuesOpenTo(labels, queues).map((queue) => queue.labels);

  expect(open({})).toEqual([{}]);
  expect(open({ cluster: 'cpu', zone: 'eu' })).toEqual([{}]);
  expect(open(gpu)).toEqual([{}, gpu]);
  expect(open({ ...both, more: 'yes' })).toEqual([{}, gpu, both]);
});
