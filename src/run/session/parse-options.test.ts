import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.js';
import { requireShard } from './parse-options.js';

const indexed = (index: string) => ({ JOB_COMPLETION_INDEX: index });

describe('--shard', () => {
  it.each([
    ['2/3', {}, { index: 2, of: 3 }],
    ['3', indexed('0'), { index: 1, of: 3 }],
    ['3', indexed('2'), { index: 3, of: 3 }],
    ['1', indexed('0'), { index: 1, of: 1 }],
    // What is written wins.
    ['2/3', indexed('0'), { index: 2, of: 3 }],
    ['2/3', indexed('nonsense'), { index: 2, of: 3 }],
  ])('%s with %j is %j', (text, environment, shard) => {
    expect(requireShard(text, environment)).toEqual(shard);
  });

  it.each([
    ['3', {}, '--shard 3: JOB_COMPLETION_INDEX is not set', 'such as --shard 1/3'],
    ['3', indexed(''), 'JOB_COMPLETION_INDEX is not set', 'completionMode: Indexed'],
    ['3', indexed('3'), 'expected a whole number from 0 to 2, found "3"', 'completions of the Job'],
    ['3', indexed('1234567'), 'from 0 to 2, found "1234567"', undefined],
    ['3', indexed('-1'), 'from 0 to 2, found "-1"', undefined],
    ['3', indexed('1.0'), 'from 0 to 2, found "1.0"', undefined],
    ['3', indexed(' 1'), 'from 0 to 2, found " 1"', undefined],
    ['3', indexed('one'), 'from 0 to 2, found "one"', undefined],
    ['0', indexed('0'), '--shard: there is no shard of 0', undefined],
    ['1234567', indexed('0'), 'such as 1/3, found "1234567"', undefined],
    ['3/2', indexed('0'), '--shard: expected a shard from 1/2 to 2/2', undefined],
    ['three', indexed('0'), '--shard: expected I/N', undefined],
  ])('%s with %j is refused: %s', (text, environment, message, hint) => {
    const refused = () => requireShard(text, environment);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(message);
    if (hint !== undefined) {
      expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
    }
  });
});
