import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { proctor } from '../support/cli.js';
import { serverProgram } from '../support/mcp-servers.js';
import { SuiteFolder } from '../support/suite-folder.js';

const suiteFiles = {
  'eval.yaml': {
    kind: 'Eval',
    metadata: { name: 'private' },
    config: {
      agent: { type: 'file', path: 'agent.yaml' },
      mcpConfigFile: 'mcp.yaml',
      taskSets: [{ path: 'task.yaml', assertions: { maxToolErrors: 0 } }],
    },
  },
  'mcp.yaml': {
    mcpServers: {
      local: {
        command: '/bin/sh',
        args: [serverProgram('shell-stdio-server.sh')],
        enableAllTools: true,
      },
    },
  },
  'agent.yaml': { kind: 'Agent', scripted: [{ do: [{ say: 'Done' }] }] },
  'task.yaml': {
    kind: 'Task',
    metadata: { name: 'long' },
    spec: {
      prompt: { inline: 'Do it' },
      // Too long for the journal, so that it has a file of its own.
      verify: [{ script: { inline: 'head -c 3000000 /dev/zero | tr "\\0" x' } }],
    },
  },
};

async function modesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const modes = files.map(async ({ parentPath, name }) => {
    const { mode } = await stat(path.join(parentPath, name));
    return [name, (mode & 0o777).toString(8)] as const;
  });
  return Object.fromEntries(await Promise.all(modes));
}

it('everything that has the content of a run can be read by its owner alone', async () => {
  const suite = await SuiteFolder.create(suiteFiles);
  const out = path.join(path.dirname(suite.path), 'reports');
  const at = (name: string) => path.join(out, name);
  await suite.write('../reports/old.xml', 'an older report');
  await chmod(at('old.xml'), 0o644);
  await writeFile(suite.results, 'older results');
  await chmod(suite.results, 0o666);

  const reporters = ['junit=old.xml', 'markdown=a.md', 'json=a.json', 'tap=a.tap', 'html=a.html'];
  const options = reporters.flatMap((each) => [
    '--reporter',
    each.replace(/=(.*)/, (_, name) => `=${at(name)}`),
  ]);
  const checked = await suite.check(options);
  expect(checked.exitCode).toBe(0);
  const run = async (...args: string[]) => {
    const { exitCode, stderr } = await proctor(args, { cwd: out });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  };
  await run('report', suite.results, '--out', at('b.html'));
  await run('result', 'merge', suite.results, '--out', at('merged.json'));
  await suite.write('../reports/rechecked.json', 'older results');
  await chmod(at('rechecked.json'), 0o644);
  const evalFile = path.join(suite.path, 'eval.yaml');
  await run('recheck', suite.results, '--eval', evalFile, '--out', at('rechecked.json'));
  for (const format of ['junit', 'csv', 'markdown']) {
    await run('result', 'convert', format, suite.results, '--output-file', at(`b.${format}`));
  }

  const modes = await modesIn(path.dirname(suite.results));
  const written = Object.entries(modes).filter(([name]) => !(name in suiteFiles));
  expect(Object.keys(modes)).toEqual(
    expect.arrayContaining(['out.json', 'out.jsonl', 'old.xml', 'a.html', 'b.csv', 'merged.json']),
  );
  expect(written.some(([name]) => name.endsWith('.txt'))).toBe(true);
  expect(written.filter(([, mode]) => mode !== '600')).toEqual([]);
});
