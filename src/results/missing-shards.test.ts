import { expect, it } from 'vitest';
import { missingShards, missingShardsText } from './missing-shards.js';

const shards = (...all: string[]) =>
  all.map((text, place) => {
    const [index = 0, of = 0] = text.split('/').map(Number);
    return { evaluation: String(place), index, of };
  });

const textOf = (...all: string[]) => missingShards(shards(...all)).map(missingShardsText);

it.each([
  [[], []],
  [['1/1'], []],
  [['2/2', '1/2'], []],
  [['1/3', '3/3'], ['shard 2/3 is missing']],
  [['1/3', '2/3', '3/3', '3/3'], ['shards 1/3, 2/3 are missing']],
  [['1/2', '2/2', '1/3', '2/3'], ['shard 3/3 is missing']],
])('of %j it says %j', (given, expected) => {
  expect(textOf(...given)).toEqual(expected);
});

it('names few of very many', () => {
  expect(textOf('1/999999')).toEqual([expect.stringMatching(/^shards 2\/.* and 999988 more are/)]);
});

it('counts an evaluation once, whoever tells it', () => {
  const [one] = shards('1/2');
  const twice = one ? [one, one, { evaluation: 'other', index: 2, of: 2 }] : [];
  expect(missingShards(twice)).toEqual([]);
});
