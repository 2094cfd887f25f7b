import { describe, expect, it } from 'vitest';
import { packRunOptions } from '../queue/run-options.js';
import {
  type CheckOptionKey,
  checkOptionEntries,
  getFlag,
  type OptionValues,
} from '../run/session/check-option-table.js';
import {
  findChangedOptions,
  recordOptions,
  resolveCheckOptions,
} from '../run/session/check-options.js';
import { commands } from './command-table.js';

/** A value of each kind, as the command line has it. */
const samples: Readonly<Record<keyof OptionValues, string | boolean | string[]>> = {
  flag: true,
  text: 'text',
  texts: ['1', 'openai=2'],
  pattern: 'pod',
  labels: 'a=b',
  shard: '1/2',
  count: '7',
  runs: '5',
  autoRuns: '9',
  share: '0.3',
  duration: '90s',
  dollars: '2.50',
  tokens: '500k',
  choice: 'json',
};

/** Values for options whose kind does not say enough. */
const otherSamples: Partial<Record<CheckOptionKey, string | string[]>> = {
  agent: ['claude-code', 'openai-agent'],
  keepWorkdir: 'always',
  reporter: ['junit=a.xml'],
};

/** What has to be given besides, for an option to mean anything. */
function findCompany(key: CheckOptionKey, needs: string | undefined): Record<string, string> {
  if (needs) return { [needs]: 'redis://host' };
  return key === 'runsWidth' || key === 'runsMax' ? { runs: 'auto' } : {};
}

const placeOf = async (path: string) => path;
const cut = { digest: 'abc', expectedMs: 1 };

describe('the table of the options of check', () => {
  it.each(checkOptionEntries)(
    '%s: command line, journal, --resume and workers have it as its entry says',
    async (key, definition) => {
      const { kind, needs, decidesWhatRuns, travels } = definition;
      const flag = getFlag(key);
      expect(flag).toBe(`--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
      const check = commands.find(({ name }) => name === 'check');
      expect(check?.options.filter(({ flags }) => flags === definition.flags)).toHaveLength(1);

      const company = findCompany(key, needs);
      const given = { ...company, [key]: otherSamples[key] ?? samples[kind] };
      const without = resolveCheckOptions(company, {});
      const resolved = resolveCheckOptions(given, {});
      expect(resolved[key]).not.toEqual(without[key]);

      const recordedWithout = recordOptions(without, {});
      const recorded = recordOptions(resolved, key === 'shardDurations' ? { cut } : {});
      expect(findChangedOptions(recordedWithout, recorded)).toEqual(decidesWhatRuns ? [flag] : []);

      const packedWithout = await packRunOptions(without, placeOf);
      const packed = await packRunOptions(resolved, placeOf);
      if (travels === undefined) expect(packed).toEqual(packedWithout);
      else expect(packed).not.toEqual(packedWithout);
      if (travels === 'as-given') expect(packed).toHaveProperty(key, resolved[key]);
    },
  );
});
