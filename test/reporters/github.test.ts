import { describe, expect } from 'vitest';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

function actions(suite: ScratchSuite): Record<string, string> {
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: suite.folder,
    GITHUB_STEP_SUMMARY: suite.path('summary.md'),
    CI: 'true',
  };
}

/** Lines that GitHub would take for a command. */
function commandsIn(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.filter((line) => /^\s*::/.test(line) || line.includes('##['));
}

const failing = { wrong: { spec: { verify: [script('echo no; exit 3')] } } };

describe('check in GitHub Actions', () => {
  it('writes annotations after the report, and the summary of the job', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { ...failing, good: {} },
      assertions: { minToolCalls: 2 },
    });
    const { exitCode, stdout } = await suite.check([], actions(suite));
    expect(exitCode).toBe(1);
    const [report = '', ...rest] = stdout.split(/(?=^::)/m);
    expect(report).toContain('2 task runs did not pass');
    expect(rest.map((line) => line.replace(/(?<=.)::.*\n$/s, ''))).toEqual([
      '::error file=eval.yaml,line=16,title=good%3A minToolCalls',
      '::error file=tasks/wrong.yaml,line=12,title=wrong%3A verify step 1 (script)',
      '::error file=eval.yaml,line=16,title=wrong%3A minToolCalls',
      '::notice title=Proctor',
    ]);
    expect(await suite.read('summary.md')).toContain('0 of 2 judged task runs passed');
  });

  it('leaves them out when only text is asked for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: failing });
    const { stdout } = await suite.check(['--reporter', 'text'], actions(suite));
    expect(commandsIn(stdout)).toEqual([]);
  });

  it('keeps them beside reports in files', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: failing });
    const { stdout } = await suite.check(['--reporter', 'tap=t.tap'], actions(suite));
    expect(commandsIn(stdout)).toHaveLength(2);
  });

  it('writes them to stderr where standard output is somebody else’s', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: failing });
    const names = ['--reporter', 'tap', '--reporter', 'github'];
    const { stdout, stderr } = await suite.check(names, actions(suite));
    expect(stdout).toMatch(/^TAP version 14\n/);
    expect(commandsIn(stdout)).toEqual([]);
    expect(commandsIn(stderr)).toHaveLength(2);
  });

  it('works anywhere when it is asked for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: failing });
    const { stdout } = await suite.check(['--reporter', 'github']);
    expect(commandsIn(stdout)).toHaveLength(2);
  });

  it.each([[['-v']], [['-v', '--reporter', 'junit', '--reporter', 'github']], [['-o', 'json']]])(
    'with %j obeys nothing that an agent or a server says',
    async (options) => {
      const { ScratchSuite } = await import('../support/scratch-suite.js');
      const hostile =
        'x\n::stop-commands::y\n  ::set-output name=a::b\r::error::c\nd ##[add-mask]e\n::warning::f';
      const suite = await ScratchSuite.create({
        tasks: { a: { spec: { verify: [script(`printf '%s' "$X" >&2; exit 1`, {})] } } },
        agent: scripted(callTelling(hostile), { say: hostile }),
      });
      try {
        const { stdout, stderr } = await suite.check(options, actions(suite));
        const lines = [...commandsIn(stdout), ...commandsIn(stderr)];
        expect(lines.filter((line) => !/^::(error|notice) (file|title)=/.test(line))).toEqual([]);
        if (options.includes('-v')) expect(stderr).toContain('##\u200b[add-mask]e');
        if (options.includes('json')) {
          expect(JSON.parse(stdout)).toEqual(JSON.parse(await suite.read('out.json')));
          expect(JSON.parse(stdout).taskRuns[0].output).toContain('##[add-mask]');
        }
      } finally {
        await suite.remove();
      }
    },
  );
});
