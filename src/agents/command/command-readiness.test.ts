import { describe, expect, it } from 'vitest';
import { commandAgent } from '../../testing/agent-tasks.js';
import type { RunnableCommands } from './run-command.js';

describe('before anything runs', () => {
  const prepare = (commands: RunnableCommands, environment: NodeJS.ProcessEnv = {}) =>
    commandAgent(commands).prepare({
      environment: { PATH: process.env.PATH, ...environment },
      signal: new AbortController().signal,
    });

  it.each([
    'cat {{ .Prompt }}',
    'X=1 Y=/a/b cat {{ .Prompt }}',
    'if true; then cat; fi',
    'cd / && cat',
    '/bin/cat',
    './agent.sh',
    '$AGENT {{ .Prompt }}',
    '{{ if .AllowedToolArgs }}a{{ else }}b{{ end }}',
    'no-such-{{ .AllowedToolArgs }} x',
    '"my agent"',
    '# a comment\ncat',
  ])('the command %j has no problem', async (runPrompt) => {
    expect(await prepare({ runPrompt })).toEqual({ problems: [] });
  });

  it.each([
    ['no-such-agent -p {{ .Prompt }}', 'no-such-agent', 'install it, or add its folder to PATH'],
    ['X=1 no-such-agent', 'no-such-agent', 'install it, or add its folder to PATH'],
    ['/no/such/agent', '/no/such/agent', 'install it, or add its folder to PATH'],
    ['codex exec', 'codex', 'npm install -g @openai/codex'],
  ])('the program of %j is missed', async (runPrompt, program, hint) => {
    const env = { PATH: '/usr/bin:/bin' };
    expect(await prepare({ runPrompt, env })).toEqual({
      problems: [{ message: `the program ${program} was not found`, hint }],
    });
  });

  it('the shell is missed', async () => {
    const { problems } = await prepare({ runPrompt: 'true' }, { SHELL: '/nowhere/zsh' });
    expect(problems).toEqual([
      { message: 'the shell /nowhere/zsh was not found', hint: expect.any(String) },
    ]);
  });

  it.each([
    ['echo; echo " 1.2.3 (agent) "; echo more', { version: '1.2.3 (agent)' }],
    ['echo 1.2.3; exit 1', {}],
    ['true', {}],
  ])('the version is what %j says', async (getVersion, expected) => {
    expect(await prepare({ runPrompt: 'true', getVersion })).toEqual({ problems: [], ...expected });
  });
});
