import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problems } from '../../config/problems/problem.js';
import { makePlan } from '../../plan/plan.js';
import { loadSuite } from '../../plan/suite.js';
import { findChangedFiles, listServerPrograms, listSuiteFiles } from './suite-files.js';

let folder = '';

const evalFile = (more: object = {}) => ({
  kind: 'Eval',
  metadata: { name: 'suite' },
  config: {
    agent: { type: 'file', path: 'agent.yaml' },
    llmJudge: { ref: { type: 'file', path: 'judge.yaml' } },
    mcpConfigFile: 'mcp.yaml',
    skills: { sources: [{ type: 'path', path: 'skills' }] },
    extensions: {
      local: { package: './extensions/local' },
      ofHome: { package: '~/no-such-extension' },
      released: { package: 'https://github.com/org/repo@v1' },
    },
    taskSets: [{ path: 'task.yaml' }],
    ...more,
  },
});

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'suite-files-'));
  write('eval.yaml', evalFile());
  const builtin = { type: 'claude-code' };
  write('agent.yaml', { kind: 'Agent', builtin });
  write('judge.yaml', { kind: 'Agent', builtin });
  write('mcp.yaml', { mcpServers: { one: { command: 'x', enableAllTools: true } } });
  write('task.yaml', {
    kind: 'Task',
    metadata: { name: 'one' },
    steps: { prompt: { file: 'prompt.md' }, verify: { file: 'verify.sh' } },
  });
  write('prompt.md', 'Do it.');
  write('verify.sh', 'true');
  write('skills/greeting/SKILL.md', '---\nname: greeting\ndescription: greets\n---\n');
  write('skills/greeting/scripts/greet.sh', 'echo');
  write('skills/not-a-skill.md', 'x');
  write('extensions/local', 'x');
});

afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | object) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text);
}

function files() {
  const problems = new Problems();
  const suite = loadSuite(join(folder, 'eval.yaml'), { environment: {} }, problems);
  if (!suite) throw new Error('no suite');
  return listSuiteFiles([suite], makePlan(suite, {}, problems), {});
}

it('suite files are all files that decide what task runs do', () => {
  expect(
    files()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(
    [
      'agent.yaml',
      'eval.yaml',
      'extensions/local',
      'judge.yaml',
      'mcp.yaml',
      'prompt.md',
      'skills/greeting/SKILL.md',
      'skills/greeting/scripts/greet.sh',
      'task.yaml',
      'verify.sh',
      relative(folder, join(homedir(), 'no-such-extension')),
    ].sort(),
  );
});

it.each(['skills/greeting/scripts/greet.sh', 'judge.yaml', 'extensions/local'])(
  'sees a change of %s',
  (name) => {
    const before = files();
    const isAgent = name === 'judge.yaml';
    write(
      name,
      isAgent ? { kind: 'Agent', builtin: { type: 'claude-code', model: 'm' } } : 'other',
    );
    expect(findChangedFiles(before, files())).toEqual([name]);
  },
);

it('a file that was added to a skill is a change of the suite', () => {
  const before = files();
  write('skills/greeting/words.md', 'hello');
  expect(findChangedFiles(before, files())).toEqual(['skills/greeting/words.md']);
});

it('another eval file is a change of the suite, unless only its limits are others', () => {
  const before = files();
  write('eval.yaml', evalFile({ limits: { concurrentAgents: 2 } }));
  expect(findChangedFiles(before, files())).toEqual([]);
  expect(findChangedFiles(files(), before)).toEqual([]);
  write('eval.yaml', evalFile({ limits: { concurrentAgents: 2 }, defaultTaskLimits: {} }));
  expect(findChangedFiles(before, files())).toEqual(['eval.yaml']);
});

it('programs of servers are found in their command lines, and data files are not', () => {
  for (const name of ['server.mjs', 'bin/server', 'data.sqlite']) write(name, 'x');
  // Nobody writes to it: whoever reads it waits for ever.
  execFileSync('mkfifo', [join(folder, 'pipe.py')]);
  const args = [
    '--flag',
    'server.mjs',
    '--db',
    'data.sqlite',
    'missing.py',
    'pipe.py',
    '${PROCTOR_WORKDIR}/a.js',
  ];
  write('mcp.yaml', {
    mcpServers: {
      one: { command: process.execPath, args, cwd: '.' },
      two: { command: './bin/server', cwd: '.' },
      off: { command: 'node', args: ['verify.sh'], cwd: '.', disabled: true },
    },
  });
  const suite = loadSuite(join(folder, 'eval.yaml'), { environment: {} }, new Problems());
  if (!suite) throw new Error('there is no suite');
  const before = listServerPrograms([suite]);
  expect(before.map(({ path }) => path)).toEqual(['bin/server', 'server.mjs']);
  write('server.mjs', 'y');
  const now = listServerPrograms([suite]);
  expect(findChangedFiles(before, now)).toEqual(['server.mjs']);
  // A journal of before this was known.
  expect(findChangedFiles([], now)).toEqual([]);
});
