import { symlink } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { it, ScratchSuite } from '../support/scratch-suite.js';
import { type SuiteParts, script } from '../support/suite-parts.js';

/** One task that passes, and one that does not. */
const tasks = {
  good: {},
  wrong: { spec: { verify: [script('echo no; exit 3')] } },
};

/** For tables of tests. */
async function withSuite(parts: SuiteParts, use: (suite: ScratchSuite) => Promise<void>) {
  const suite = await ScratchSuite.create(parts);
  try {
    await use(suite);
  } finally {
    await suite.remove();
  }
}

describe('the reporters of check', () => {
  it('may be many, without a word of Node about it', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    const names = Array.from({ length: 12 }, (_, index) => ['--reporter', `json=${index}.json`]);
    const { exitCode, stderr } = await suite.check(names.flat());
    expect(exitCode, stderr).toBe(0);
    expect(stderr).not.toContain('Warning');
    expect(await suite.read('11.json')).toBe(await suite.read('out.json'));
  });

  it('that are not installed are told from where they were looked for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    const { exitCode, stderr } = await suite.check(['--reporter', '@team/none=x']);
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain(`Cannot find package '@team/none' from ${suite.folder}\n`);
  });

  it('report side by side, each to its file', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const names = [
      'junit=j.xml',
      'tap=t.tap',
      'markdown=m.md',
      'json=r.json',
      'text=f.txt',
      'html',
    ];
    const { exitCode, stdout, stderr } = await suite.check(
      names.flatMap((name) => ['--reporter', name]),
    );
    expect(exitCode, stderr).toBe(1);
    expect(stdout).toContain('1 task run did not pass');
    expect(await suite.read('f.txt')).toContain('1 task run did not pass');
    expect(await suite.read('j.xml')).toContain('tests="2" failures="1" errors="0"');
    expect(await suite.read('t.tap')).toMatch(/^ok 1 - good$.*^not ok 2 - wrong$.*^1\.\.2$/ms);
    expect(await suite.read('m.md')).toContain('1 of 2 judged task runs passed');
    expect(await suite.read('r.json')).toBe(await suite.read('out.json'));
    expect(await suite.read('out.html')).toContain('<html');
  });

  it.each([
    ['junit', /^<\?xml .*<\/testsuites>\n$/s],
    ['tap', /^TAP version 14\n.*1\.\.2\n$/s],
    ['markdown', /^## `suite`: .*/s],
  ])('%s has standard output, and the report for people goes to stderr', async (name, whole) => {
    await withSuite({ tasks }, async (suite) => {
      const { stdout, stderr } = await suite.check(['--reporter', name]);
      expect(stdout).toMatch(whole);
      expect(stderr).toContain('1 task run did not pass');
    });
  });

  it.each([['-o'], ['--reporter']])('json is the results, by %s', async (option) => {
    await withSuite({ tasks }, async (suite) => {
      const { exitCode, stdout } = await suite.check([option, 'json']);
      expect(exitCode).toBe(1);
      expect(stdout).toBe(await suite.read('out.json'));
    });
  });

  it('text has standard output to itself when it is asked for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const { stdout } = await suite.check(['--reporter', 'text']);
    expect(stdout.match(/did not pass/g)).toHaveLength(1);
  });

  it.each([
    ['juint', 'unknown reporter "juint"\n  did you mean junit?'],
    ['junit=no/j.xml', 'the folder of no/j.xml does not exist'],
    ['junit=tasks', 'tasks is a folder'],
    ['junit=out.json', 'out.json is the file of the results'],
    ['tap=out.jsonl', 'out.jsonl is the file of the journal'],
    [
      'markdown=tasks/good.yaml',
      'tasks/good.yaml is a file of the suite, and would be overwritten',
    ],
    ['markdown=link.md', 'agent.yaml is a file of the suite, and would be overwritten'],
    ['./none.mjs', './none.mjs does not exist'],
    ['./empty.mjs', 'neither a reporter nor a function that makes one'],
    ['./broken.mjs', 'cannot load '],
    ['./refusing.mjs', './refusing.mjs: TOKEN is not set'],
    ['team/reporter', "Cannot find package 'team'"],
  ])('%s is refused before anything runs', async (name, message) => {
    await withSuite({ tasks }, async (suite) => {
      await suite.write('empty.mjs', 'export const other = 1;');
      await suite.write('broken.mjs', 'const = 5;');
      await suite.write(
        'refusing.mjs',
        'export default () => { throw new Error("TOKEN is not set"); };',
      );
      await symlink(suite.path('agent.yaml'), suite.path('link.md'));
      const { exitCode, stderr, results, events } = await suite.check(['--reporter', name]);
      expect(stderr).toContain(message);
      expect({ exitCode, results, events }).toEqual({
        exitCode: 2,
        results: undefined,
        events: [],
      });
    });
  });

  it.each([
    [['junit', 'tap'], '--reporter junit and --reporter tap both want standard output'],
    [['junit=a', 'tap=a'], '--reporter tap=a: a is the file of --reporter junit=a'],
    [['html', 'markdown=out.html'], 'out.html is the file of --reporter html'],
    [['./mine.mjs', 'tap'], '--reporter ./mine.mjs and --reporter tap both want standard output'],
  ])('%j do not go together', async (names, message) => {
    await withSuite({ tasks }, async (suite) => {
      await suite.write('mine.mjs', 'export default { onEnd() {} };');
      const { exitCode, stderr, events } = await suite.check(
        names.flatMap((name) => ['--reporter', name]),
      );
      expect(stderr).toContain(message);
      expect({ exitCode, events }).toEqual({ exitCode: 2, events: [] });
    });
  });

  it('no report takes the place of the results whose failures run again', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await suite.check();
    const again = ['--rerun-failed', 'out.json', '--reporter', 'json=out.json'];
    const { exitCode, stderr } = await suite.proctor(['check', 'eval.yaml', ...again]);
    expect(stderr).toContain('--reporter json=out.json: out.json is the file of --rerun-failed');
    expect(exitCode).toBe(2);
  });

  it('-o json does not go with another that wants standard output', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const { exitCode, stderr } = await suite.check(['-o', 'json', '--reporter', 'junit']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--reporter junit and -o json both want standard output');
  });

  it('one that cannot write is told of, and hurts nobody', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    const names = ['junit=/dev/full', 'tap=t.tap'];
    const { exitCode, stderr, stdout, results } = await suite.check(
      names.flatMap((name) => ['--reporter', name]),
    );
    expect(exitCode).toBe(0);
    expect(stderr.match(/^error: reporter .*$/gm)).toEqual([
      'error: reporter junit=/dev/full: cannot write /dev/full: the disk is full: free some space, or choose another file',
    ]);
    expect(await suite.read('t.tap')).toContain('ok 1 - good');
    expect(stdout).toContain('Totals');
    expect(results?.finished).toBe(true);
  });

  it('take a task that fails for good, and one that passes without an agent for bad', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks });
    const names = ['junit=j.xml', 'github'];
    const { exitCode, stdout } = await suite.check([
      '--control',
      ...names.flatMap((name) => ['--reporter', name]),
    ]);
    expect(exitCode).toBe(1);
    expect(await suite.read('j.xml')).toContain('tests="2" failures="1" errors="0"');
    expect(stdout.match(/^::error .*$/gm)).toEqual([
      '::error file=tasks/good.yaml,line=1,title=good%3A passed-without-agent::it passes without an agent: it checks nothing',
    ]);
  });

  it('may write their file from the first event on', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    await suite.write('events.txt', 'of an earlier run');
    await suite.write(
      'events.mjs',
      `import { appendFileSync } from 'node:fs';
      export default ({ file }) => ({
        onEvent: ({ type }) => appendFileSync(file, type + '\\n'),
      });`,
    );
    const { exitCode, stderr } = await suite.check(['--reporter', './events.mjs=events.txt']);
    expect(exitCode, stderr).toBe(0);
    const types = (await suite.read('events.txt')).trimEnd().split('\n');
    expect([types.at(0), types.at(-1)]).toEqual(['run-started', 'run-ended']);
  });

  it('tell everything after --resume, also what ran before', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await suite.check(['--bail']);
    const { exitCode } = await suite.check(['--resume', '--reporter', 'tap=t.tap']);
    expect(exitCode).toBe(1);
    expect(await suite.read('t.tap')).toContain('1..2');
  });
});
