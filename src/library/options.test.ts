import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.js';
import { checkOptionEntries } from '../run/session/check-option-table.js';
import { loadEval, planEval } from './load-eval.js';
import { type RunOptions, resolveOptions } from './options.js';
import { recheckEval } from './recheck.js';
import {
  compareVariants,
  convertResults,
  diffResults,
  mergeResults,
  openResults,
  summarizeResults,
  summarizeTools,
  verifyResults,
  writeReport,
} from './results.js';
import { runEval, runEvals, startEval } from './run-eval.js';

/** As programs that are not checked by a compiler give them. */
const misspelt: object = { rnus: 3 };

describe('options of the library', () => {
  it.each([
    [{ rnus: 3 }, 'there is no option "rnus"', 'did you mean runs?'],
    [{ 'task-timeout': '2m' }, 'there is no option "task-timeout"', 'did you mean taskTimeout?'],
    [{ verbose: true }, 'there is no option "verbose"', 'options are: run, '],
    [{ queue: 'redis://localhost' }, 'does not take the option "queue"', 'proctor check --queue'],
    [{ detach: true }, 'does not take the option "detach"', 'proctor check --queue'],
    [{ reporter: ['junit=x.xml'] }, 'does not take the option "reporter"', 'write reporters'],
    [{ output: 'json' }, 'does not take the option "output"', 'prints nothing'],
    [{ strict: 'yes' }, '--strict: expected true or false, found "yes"', undefined],
  ])('%j are refused: %s', (options, message, hint) => {
    const refused = () => resolveOptions(options as RunOptions);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(message);
    if (hint !== undefined) {
      expect(refused).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
    }
  });

  it('may be undefined, and are those of a check but for a few', () => {
    const names = checkOptionEntries.map(([key]) => key);
    const undefinedOnes = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(() => resolveOptions(undefinedOnes)).not.toThrow();
    const refused = names.filter((name) => {
      try {
        resolveOptions({ [name]: [] });
        return false;
      } catch (error) {
        return (error as UsageError).message.includes('the library does not take');
      }
    });
    expect(refused).toEqual([
      'output',
      'reporter',
      'queue',
      'queuePrefix',
      'detach',
      'queueTtl',
      'bundleRoot',
      'bundleMaxSize',
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['loadEval', () => loadEval('eval.yaml', misspelt)],
    ['planEval', () => planEval('eval.yaml', misspelt)],
    ['runEval', () => runEval('eval.yaml', misspelt)],
    ['runEvals', () => runEvals(['eval.yaml'], misspelt)],
    ['startEval', () => startEval('eval.yaml', misspelt).result],
    ['recheckEval', () => recheckEval('out.json', 'eval.yaml', misspelt)],
    ['openResults', () => openResults('out.json', misspelt)],
    ['summarizeResults', () => summarizeResults('out.json', misspelt)],
    ['summarizeTools', () => summarizeTools('out.json', misspelt)],
    ['diffResults', () => diffResults('out.json', 'out.json', misspelt)],
    ['compareResults', () => compareVariants('out.json', misspelt)],
    ['verifyResults', () => verifyResults('out.json', { task: 0.8 }, misspelt)],
    ['verifyResults, in its thresholds', () => verifyResults('out.json', misspelt)],
    ['mergeResults', () => mergeResults(['out.json'], 'merged.json', misspelt)],
    ['convertResults', () => convertResults('out.json', 'csv', misspelt).next()],
    ['writeReport', () => writeReport('out.json', 'report.html', misspelt)],
  ])('that do not exist are refused by %s', async (_, call) => {
    const refused: unknown = await call().catch((error) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect((refused as UsageError).message).toBe('there is no option "rnus"');
  });
});
