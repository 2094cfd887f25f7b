import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandWords } from '../../src/cli/command.js';
import { commands } from '../../src/cli/command-table.js';
import {
  prepareInvalidSuites,
  readInvalidSuites,
  writeInvalidSuite,
} from '../../testing/invalid-suites.js';
import { examples, proctor } from '../support/cli.js';

const root = path.resolve(examples, '..');
const quickstart = path.join(examples, 'quickstart/eval.yaml');

describe('help', () => {
  const calls = [
    ['--help'],
    ['result', '--help'],
    ...commands.map((spec) => [...commandWords(spec).split(' '), '--help']),
  ];
  /** Where somebody looks for one of many: all are there, under headings. */
  const long = new Map([
    ['--help', 2],
    ['check --help', 3],
    ['init --help', 2],
    ['list --help', 2],
    ['verify --help', 2],
  ]);
  const screens = (call: readonly string[]) => long.get(call.join(' ')) ?? 1;

  it.each(calls.map((call) => [call.join(' '), call] as const))(
    'proctor %s fits a screen and shows examples',
    async (_name, call) => {
      const { exitCode, stdout, stderr } = await proctor(call);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(screens(call) * 24);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
      expect(stdout).toContain('Examples:\n  proctor ');
    },
  );

  it('of a command is also `help <command>`', async () => {
    const [flag, word] = await Promise.all([
      proctor(['list', '--help']),
      proctor(['help', 'list']),
    ]);
    expect(word).toEqual(flag);
  });

  it('without a command goes to stderr, as nothing was done', async () => {
    const { exitCode, stdout, stderr } = await proctor([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: proctor');
  });

  it('has every flag in the reference', () => {
    const reference = readFileSync(path.join(root, 'docs/reference/cli.md'), 'utf8');
    for (const spec of commands) {
      expect(reference).toContain(`## proctor ${commandWords(spec)}\n`);
      for (const { flags } of spec.options) expect(reference).toContain(`\`${flags}\``);
    }
  });
});

describe('wrong calls', () => {
  it.each([
    [['valdate', 'x'], 'Did you mean validate?'],
    [['validate'], "missing required argument 'eval'"],
    [['validate', quickstart, '--stric'], 'Did you mean --strict?'],
    [['validate', quickstart, '-o', 'xml'], 'Allowed choices are text, json'],
    [['list', quickstart, 'more'], 'too many arguments'],
    [['list', quickstart, '--runs', '0'], '--runs: expected a whole number from 1'],
    [['list', quickstart, '--runs', '1e3'], 'found "1e3"'],
    [['list', quickstart, '--runs', '99999999999'], '--runs: expected'],
    [['list', quickstart, '--shard', '4/3'], '--shard: expected a shard from 1/3 to 3/3'],
    [['list', quickstart, '--task-timeout', '5'], '--task-timeout: invalid duration "5"'],
    [['list', quickstart, '--cleanup-timeout', '0s'], 'a limit is more than zero'],
    [['list', quickstart, '-r', 'a(?=b)'], '--run: invalid pattern'],
    [['list', quickstart, '-l', 'area'], '--label-selector: expected key=value'],
    [['check', quickstart, '-p', '0'], '--parallel: expected a whole number from 1 to 256'],
    [['check', '--bail', quickstart], 'write --bail=1, or the eval first'],
    [['check', quickstart, '--keep-workdir', 'x'], 'Allowed choices are failed, always'],
    [['schema'], "missing required argument 'kind'"],
    [['validate', ''], 'the name of an eval is empty'],
    [['list', quickstart, '--shard', '1/0'], 'there is no shard of 0'],
    [['list', quickstart, '-l', 'area='], '--label-selector: expected key=value'],
  ])('proctor %j is refused with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await proctor(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is explained in plain lines that say where to read on', async () => {
    const { stderr } = await proctor(['valdate']);
    expect(stderr).toBe(
      [
        "error: unknown command 'valdate'",
        '(Did you mean validate?)',
        "See 'proctor --help'.",
        '',
      ].join('\n'),
    );
    const option = await proctor(['result', 'merge', '--fore']);
    expect(option.stderr).toContain("See 'proctor result merge --help'.");
    const pattern = await proctor(['list', quickstart, '-r', 'a(?=b)']);
    expect(pattern.stderr).toMatch(/^error: --run: invalid pattern: .*\n {2}a\(\?=b\)\n {3}\^\n$/);
  });

  it('an eval that does not exist is named', async () => {
    const { exitCode, stdout } = await proctor(['validate', 'nowhere.yaml']);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(
      'nowhere.yaml:1:1  error  [file-not-found]  nowhere.yaml does not exist',
    );
  });
});

describe('output', () => {
  let folder: string;
  let invalid: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'proctor-output-'));
    await prepareInvalidSuites(folder);
    const cases = readInvalidSuites().flatMap((topic) => topic.cases);
    const unknownAssertion = cases.find(({ name }) => name === 'unknown-assertion');
    if (unknownAssertion === undefined) throw new Error('there is no case unknown-assertion');
    invalid = await writeInvalidSuite(folder, unknownAssertion);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('shows problems like a compiler', async () => {
    const { exitCode, stdout } = await proctor(['validate', 'eval.yaml'], { cwd: invalid });
    expect(exitCode).toBe(2);
    expect(stdout).toBe(
      [
        'eval.yaml:12:9  error  [unknown-assertion]  unknown assertion toolUsed',
        '  11 |       assertions:',
        '  12 |         toolUsed:',
        '     |         ^^^^^^^^',
        '    hint: did you mean toolsUsed?',
        '',
        '1 error',
        '',
      ].join('\n'),
    );
  });

  it('says what was read when there is no problem', async () => {
    const { exitCode, stdout } = await proctor(['validate', 'examples/quickstart/eval.yaml']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'valid  examples/quickstart/eval.yaml  (quickstart: 9 tasks, 3 task sets, 1 server)\n',
    );
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '0' }, false],
  ])('with %j, colour is %s', async (env, colored) => {
    const { stdout } = await proctor(['validate', 'eval.yaml'], { cwd: invalid, env });
    expect(stdout.includes('\u001b[31m')).toBe(colored);
  });

  it('never lets control sequences of a file through', async () => {
    const file = path.join(folder, 'evil.yaml');
    await writeFile(file, 'kind: Eval\n"\\e]0;pwned\\a": 1\nmetadata: "\u009b2J"\nconfg: {}\n');
    const { exitCode, stdout } = await proctor(['validate', file]);
    expect(exitCode).toBe(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('masks what looks like a secret, and escapes control characters in JSON', async () => {
    const file = path.join(folder, 'secret.yaml');
    await writeFile(
      file,
      'kind: Eval\nAuthorization: Bearer sk-live-abcdefghijkl\nmetadata: Bearer abcdefghijkl\n"\u009b\u202e": 1\n',
    );
    const [text, json] = await Promise.all([
      proctor(['validate', file]),
      proctor(['validate', file, '-o', 'json']),
    ]);
    for (const { stdout } of [text, json]) {
      expect(stdout).not.toContain('abcdefghijkl');
      expect(stdout).not.toMatch(/[\u007f-\u009f\u202e]/);
    }
    expect(JSON.parse(json.stdout).problems.at(-1).message).toContain('\u009b\u202e');
  });

  it('prints at most a hundred problems, and says how many more there are', async () => {
    const file = path.join(folder, 'many.yaml');
    const unknown = Array.from({ length: 150 }, (_, index) => `unknown${index}: 1`);
    await writeFile(file, `kind: Eval\n${unknown.join('\n')}\n`);
    const { stdout } = await proctor(['validate', file]);
    expect(stdout.match(/\[unknown-key\]/g)?.length).toBeLessThanOrEqual(100);
    expect(stdout).toMatch(/\.\.\. and \d+ more; -o json lists them/);
  });

  it('list prints one shard that is empty without complaint', async () => {
    const { exitCode, stdout } = await proctor(['list', quickstart, '--shard', '50/50']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('0 tasks, 0 task runs, shard 50/50');
  });
});
