import { describe, expect, it } from 'vitest';
import { proctorInTerminal } from '../support/in-terminal.js';
import { serverProgram } from '../support/mcp-servers.js';
import { SuiteFolder } from '../support/suite-folder.js';

/** Sets the title, clears the screen, asks the terminal to type, moves back, turns text around. */
const hostile =
  '\u001b]0;HOSTILE\u0007\u001b[2J\u009b31mHOSTILE\u001b[6n\b\b\rHOSTILE\u202e\u0085\u007f';

/** What Proctor itself sends to a terminal: colours, and what redraws its last lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what this is about.
const own = /\u001b\[(?:\d+m|\d+A|[JK]|\?25[lh])|\r/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what this is about.
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const tool = (name: string, args: object = {}) => ({
  call: { server: 'hostile', tool: name, args },
});

const task = (name: string, prompt: string, more: object = {}) => ({
  kind: 'Task',
  metadata: { name, parallel: true, labels: { kind: `x${hostile}` } },
  spec: { prompt: { inline: prompt }, ...more },
});

const files = {
  'eval.yaml': {
    kind: 'Eval',
    metadata: { name: `hostile ${hostile}` },
    config: {
      agent: { type: 'file', path: 'agent.yaml' },
      mcpConfigFile: 'mcp.yaml',
      taskSets: [{ glob: 'tasks/*.yaml', assertions: { maxToolErrors: 0 } }],
    },
  },
  'mcp.yaml': {
    mcpServers: {
      hostile: {
        command: process.execPath,
        args: [serverProgram('hostile-stdio-server.mjs')],
        enableAllTools: true,
      },
    },
  },
  'agent.yaml': {
    kind: 'Agent',
    metadata: { name: `agent ${hostile}` },
    scripted: [
      { when: 'die', do: [tool('exit', { last: hostile })] },
      { when: 'fail', do: [tool('noise', { text: hostile }), { fail: hostile }] },
      {
        do: [
          tool('echo', { text: hostile }),
          tool(hostile, { [hostile]: hostile }),
          { say: hostile },
        ],
      },
    ],
  },
  'tasks/a.yaml': task(`answer ${hostile}`, hostile, {
    assertions: { toolsUsed: [{ server: 'hostile', args: { text: hostile.repeat(2) } }] },
    verify: [
      {
        script: { inline: 'cat "$PROCTOR_AGENT_OUTPUT"; cat "$PROCTOR_AGENT_OUTPUT" >&2; exit 1' },
      },
    ],
    cleanup: [{ script: { inline: 'cat "$PROCTOR_AGENT_OUTPUT"; exit 1' } }],
  }),
  'tasks/b.yaml': task('die', 'die'),
  'tasks/c.yaml': task('fail', 'fail'),
};

describe('hostile text from agents, servers, scripts and files', () => {
  it.each([['--verbose'], ['--output=json']])(
    'never reaches a terminal as it is, with %s',
    async (option) => {
      const suite = await SuiteFolder.create(files);
      const shown = await proctorInTerminal(
        ['check', 'eval.yaml', '-p', '3', '--out', suite.results, option],
        { cwd: suite.path, env: suite.environment({ LANG: 'C.UTF-8' }) },
      );
      expect(shown).toContain('HOSTILE');
      expect(shown).not.toContain('\rHOSTILE');
      const rest = shown.replace(own, '');
      const at = rest.search(obeyed);
      expect(at === -1 ? '' : JSON.stringify(rest.slice(Math.max(0, at - 80), at + 20))).toBe('');
    },
  );

  it('is as harmless where colours are wanted without a terminal', async () => {
    const suite = await SuiteFolder.create(files);
    const colored = await suite.check(['--verbose'], { FORCE_COLOR: '1' });
    expect(colored.stdout).toMatch(own);
    expect((colored.stdout + colored.stderr).replace(own, '')).not.toMatch(obeyed);
  });
});
