import { beforeAll, describe, expect, test } from 'vitest';
import { proctorInTerminal } from '../support/in-terminal.js';
import { serverProgram } from '../support/mcp-servers.js';
import { SuiteFolder } from '../support/suite-folder.js';

/** A long sentence, so that whatever quotes it needs more than one line of the terminal. */
const long =
  'the warehouse said that nobody has ever counted the kettles on the third shelf behind the door';

const files = {
  'eval.yaml': {
    kind: 'Eval',
    metadata: { name: 'warehouse' },
    config: {
      agent: { type: 'file', path: 'agent.yaml' },
      mcpConfigFile: 'mcp.yaml',
      taskSets: [{ glob: 'tasks/*.yaml', runs: 4 }],
    },
  },
  'mcp.yaml': {
    mcpServers: {
      shelves: {
        command: process.execPath,
        args: [serverProgram('hostile-stdio-server.mjs')],
        enableAllTools: true,
      },
    },
  },
  'agent.yaml': {
    kind: 'Agent',
    metadata: { name: 'scripted' },
    scripted: [
      { do: [{ call: { server: 'shelves', tool: 'echo', args: { text: long } } }, { say: long }] },
    ],
  },
  'tasks/count.yaml': {
    kind: 'Task',
    metadata: { name: 'count-the-kettles-on-the-third-shelf-behind-the-door' },
    spec: {
      prompt: { inline: 'Count the kettles.' },
      assertions: {
        toolsUsed: [{ server: 'shelves', tool: 'echo', args: { text: `${long}, ever` } }],
      },
    },
  },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: what Proctor itself sends to a terminal.
const own = /\u001b\[(?:\d+m|\d+A|[JK]|\?25[lh])/g;

describe.each([80, 60])('on a terminal of %i columns', (columns) => {
  let suite: SuiteFolder;
  const inTerminal = async (...commandLine: string[]) => {
    const shown = await proctorInTerminal(commandLine, {
      cwd: suite.path,
      env: suite.environment(),
      columns,
    });
    return shown.replace(own, '').split(/\r?\n|\r/);
  };

  beforeAll(async () => {
    suite = await SuiteFolder.create(files);
  });

  test('check breaks no word, and tells equal failures once', async () => {
    const lines = await inTerminal('check', 'eval.yaml', '--out', 'out.json');

    expectToFit(lines, columns);
    const text = lines.join('\n');
    expect(text).toContain('runs 2, 3, 4 failed for the same reason');
    expect(text.match(/does not hold/g)).toHaveLength(1);
    expect(lines).toContain('  proctor view out.json');
  });

  test.each([
    ['summary', ['summary', 'out.json']],
    ['view', ['view', 'out.json']],
    ['diff', ['diff', '--base', 'out.json', '--current', 'out.json']],
    ['verify', ['result', 'verify', 'out.json', '--task', '0.9']],
    ['an error', ['check', 'eval.yaml', '--task-timeout', 'a-very-long-word '.repeat(9)]],
  ])('%s breaks no word', async (_what, commandLine) => {
    const lines = await inTerminal(...commandLine);

    expect(lines.some((line) => line.length > 40)).toBe(true);
    expectToFit(lines, columns);
  });
});

/** But for commands to paste, which stay in one piece. */
function expectToFit(lines: readonly string[], columns: number): void {
  for (const line of lines.filter((each) => !/^ *proctor /.test(each))) {
    expect(line.length, line).toBeLessThanOrEqual(columns);
  }
}
