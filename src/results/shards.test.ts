import { expect, it } from 'vitest';
import { describeMissingShards, findMissingShards } from './shards.js';

/** Each is `I/N`, or `I/N DIGEST` where it was cut by durations. */
const shards = (...all: string[]) =>
  all.map((text, place) => {
    const [shard = '', cutBy = null] = text.split(' ');
    const [index = 0, of = 0] = shard.split('/').map(Number);
    return { evaluation: String(place), index, of, cutBy };
  });

const textOf = (...all: string[]) => findMissingShards(shards(...all)).map(describeMissingShards);

it.each([
  [[], []],
  [['1/1'], []],
  [['2/2', '1/2'], []],
  [['1/3', '3/3'], ['shard 2/3 is missing']],
  [['1/3', '2/3', '3/3', '3/3'], ['shards 1/3, 2/3 are missing']],
  [['1/2', '2/2', '1/3', '2/3'], ['shard 3/3 is missing']],
  [['1/2 a', '2/2 a'], []],
  [['1/3 a', '2/3 a'], ['shard 3/3 is missing']],
  [['1/2 a', '2/2 a', '1/2 b', '2/2 b', '1/2', '2/2'], []],
  [
    ['1/2 a', '2/2 b'],
    [
      'shard 2/2 is missing among those cut by the durations a',
      'shard 1/2 is missing among those cut by the durations b',
    ],
  ],
  [
    ['1/3', '2/3', '3/3 a'],
    [
      'shard 3/3 is missing among those cut without durations',
      'shards 1/3, 2/3 are missing among those cut by the durations a',
    ],
  ],
  [
    ['1/2 a', '2/2 a', '2/2 b', '1/3 c', '2/3 c'],
    ['shard 1/2 is missing among those cut by the durations b', 'shard 3/3 is missing'],
  ],
])('of %j it says %j', (given, expected) => {
  expect(textOf(...given)).toEqual(expected);
});

it('names few of very many', () => {
  expect(textOf('1/999999')).toEqual([expect.stringMatching(/^shards 2\/.* and 999988 more are/)]);
});

it('counts a run once, even if several files have it', () => {
  const [one] = shards('1/2');
  const twice = one ? [one, one, { evaluation: 'other', index: 2, of: 2, cutBy: null }] : [];
  expect(findMissingShards(twice)).toEqual([]);
});
