import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.js';
import { parseReporterRequests } from '../reporters/reporter-requests.js';
import { type CheckOptions, fillPlaceholders, refuseSharedPaths } from './check-options.js';

interface WrittenOptions extends Partial<Pick<CheckOptions, 'out' | 'rerunFailed'>> {
  reporter?: string[];
  shardDurations?: string[];
  output?: string;
  shard?: string;
}

function optionsOf({ reporter = [], output, shard: _, ...others }: WrittenOptions): CheckOptions {
  return {
    plan: {},
    suite: { environment: {} },
    parallel: 4,
    limits: { rates: [] },
    reporters: parseReporterRequests(reporter, output === 'json' ? 'json' : 'text'),
    resume: false,
    force: false,
    budget: {},
    control: false,
    strict: false,
    shardDurations: [],
    ...others,
  };
}

describe('{eval} in a path', () => {
  it('becomes the name of the eval, as far as it fits into that of a file', () => {
    const given = optionsOf({
      out: 'out/{eval}/{eval}.json',
      reporter: ['junit={eval}.xml', 'html'],
      rerunFailed: '{eval}.json',
    });
    expect(fillPlaceholders(given, 'A/B ../c')).toMatchObject({
      out: 'out/a-b-..-c/a-b-..-c.json',
      rerunFailed: 'a-b-..-c.json',
      reporters: [{ shown: 'junit={eval}.xml', file: join(process.cwd(), 'a-b-..-c.xml') }, {}],
    });
  });

  it('leaves what stands for nothing as it is', () => {
    const given = optionsOf({ out: 'out.json', reporter: ['tap=out.tap'] });
    expect(fillPlaceholders(given, 'name')).toEqual(given);
  });

  it.each([
    [{}],
    [{ out: '{eval}.json', reporter: ['junit={eval}.xml', 'html', 'github', 'markdown'] }],
    [{ shard: '1/2', shardDurations: ['a/{eval}.json', 'b/{eval}.json'] }],
    [{ output: 'json' }],
  ])('is enough for several evals: %j', (options) => {
    expect(() => refuseSharedPaths(optionsOf(options))).not.toThrow();
  });

  it.each([
    [{ out: 'eval.json' }, '--out eval.json: with several evals, each needs a file of its own'],
    [{ reporter: ['html={eval}.html', 'tap=t'] }, '--reporter tap=t: with several evals'],
    [{ rerunFailed: 'x.json' }, '--rerun-failed x.json'],
    [{ shard: '1/2', shardDurations: ['{eval}.json', 'b.json'] }, '--shard-durations b.json'],
    [{ reporter: ['junit'] }, '--reporter junit: with several evals, standard output'],
  ])('is missed with several evals: %j', (options, message) => {
    const refused = () => refuseSharedPaths(optionsOf(options));
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(message);
  });
});
