import { describe, expect, it, vi } from 'vitest';
import type { CommandSpec } from '../../src/cli/command.js';
import { main } from '../../src/cli/main.js';
import { parseWorkerOptions } from '../../src/cli/worker/worker-options.js';
import { resolveQueueUse } from '../../src/queue/queue-use.js';
import { parseCheckOptions } from '../../src/run/session/parse-options.js';
import {
  documentedCommandLines,
  mentionedCommandLines,
} from '../support/documented-command-lines.js';

/** The real table, of which every command is read and none runs. */
vi.mock('../../src/cli/command-table.js', async (original) => {
  const { commands } = await original<typeof import('../../src/cli/command-table.js')>();
  const readOnly = (spec: CommandSpec): CommandSpec => ({
    ...spec,
    load: async () => ({
      run: async (call) => {
        if (spec.name === 'check') {
          const { options, io } = call;
          resolveQueueUse(parseCheckOptions(options, io.environment), io.environment);
        }
        if (spec.name === 'worker') parseWorkerOptions(call);
        return 0;
      },
    }),
  });
  return { commands: commands.map(readOnly) };
});

/** What `proctor` says against a call; empty if nothing. */
async function refusalOf(words: readonly string[]): Promise<string> {
  let told = '';
  const output = {
    write: (text: string) => {
      told += text;
    },
    isTerminal: false,
  };
  const environment = { JOB_COMPLETION_INDEX: '0', PROCTOR_QUEUE: 'redis://host' };
  const io = { stdout: output, stderr: output, environment };
  const exitCode = await main(words, io);
  if (exitCode === 0) return '';
  expect(told).not.toBe('');
  return told;
}

const lines = await documentedCommandLines();

describe('calls of proctor in documentation and examples', () => {
  it('are found', () => {
    const commands = new Set(lines.map(({ words }) => words[0]));
    expect([...commands]).toEqual(
      expect.arrayContaining([
        ...['init', 'check', 'validate', 'list', 'view', 'diff', 'recheck', 'judge-eval', 'proxy'],
        ...['result', 'report', 'summary', 'verify', 'worker', 'queue'],
      ]),
    );
    const flags = new Set(lines.flatMap(({ words }) => words));
    expect([...flags]).toEqual(
      expect.arrayContaining(['--shard', '--shard-durations', '--queue', '--resume']),
    );
  });

  it.each(lines.map(({ where, words }) => [where, words] as const))(
    '%s: %j is one that proctor takes',
    async (_, words) => {
      expect(await refusalOf(words)).toBe('');
    },
  );

  it.each(mentionedCommandLines().map(({ where, words }) => [where, words] as const))(
    '%s mentions %j, whose command and options there are',
    async (_, words) => {
      expect(await refusalOf(words)).not.toMatch(/unknown (?:option|command)|Allowed choices/);
    },
  );
});

describe('a call that proctor does not take', () => {
  it.each([
    [['check', 'eval.yaml', '--shrad', '1/4'], "unknown option '--shrad'"],
    [['check', 'eval.yaml', '--shard', '5/4'], '--shard: expected a shard from 1/4 to 4/4'],
    [['check', '--shard', '1/4'], "missing required argument 'eval'"],
    [['check', 'eval.yaml', '--queue', 'host:6379'], '--queue: expected an address'],
    [['worker', '--label', 'pool'], '--label: expected key=value'],
    [['result', 'merge', '--out'], 'argument missing'],
    [['merge', 'a.json', '--out', 'b.json'], "unknown command 'merge'"],
    [['verify', 'a.json', '-o', 'xml'], 'Allowed choices are text, json'],
  ])('is found: %j', async (words, problem) => {
    expect(await refusalOf(words)).toContain(problem);
  });
});
