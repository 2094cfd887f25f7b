import { expect, test } from 'vitest';
import { filterOpenQueues, listLabelQueues, nameLabelQueue } from './job-queue.js';

const gpu = { cluster: 'gpu' };
const both = { zone: 'eu', cluster: 'gpu' };

test('the same labels are one queue, whatever their order', () => {
  expect(nameLabelQueue(both)).toEqual(nameLabelQueue({ cluster: 'gpu', zone: 'eu' }));
  expect(listLabelQueues([{}, gpu, {}, gpu, both])).toHaveLength(3);
});

test('other labels are another queue', () => {
  const names = [{}, gpu, both, { cluster: 'cpu' }].map((labels) => nameLabelQueue(labels).name);
  expect(new Set(names).size).toBe(4);
});

test('a worker takes from queues that ask for nothing that it does not have', () => {
  const queues = listLabelQueues([{}, gpu, both]);
  const open = (labels: Record<string, string>) =>
    filterOpenQueues(labels, queues).map((queue) => queue.labels);

  expect(open({})).toEqual([{}]);
  expect(open({ cluster: 'cpu', zone: 'eu' })).toEqual([{}]);
  expect(open(gpu)).toEqual([{}, gpu]);
  expect(open({ ...both, more: 'yes' })).toEqual([{}, gpu, both]);
});
