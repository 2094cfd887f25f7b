// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands these
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentServer,
  agentTask,
  commandAgent,
  runCommandAgent,
} from '../../../testing/agent-tasks.js';
import type { AgentStep } from '../../journal/step-events.js';
import type { RunnableCommands } from './run-command.js';

/** Whether a process runs. A killed one stays a zombie until its parent asks how it ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

describe('a command', () => {
  it('runs in the working directory with the environment and its own on top', async () => {
    const environment = { PATH: process.env.PATH, A: 'inherited', B: 'inherited' };
    const commands = { runPrompt: 'printf "%s %s " "$A" "$B"; pwd -P', env: { B: 'own' } };
    const { output, task } = await runCommandAgent(commands, { environment });
    expect(output).toBe(`inherited own ${task.workdir}\n`);
  });

  it('gets an empty HOME if it wants one', async () => {
    const commands = { runPrompt: 'printf %s "$HOME"; ls -A "$HOME"', useVirtualHome: true };
    const { output, task } = await runCommandAgent(commands);
    expect(output).toBe(path.join(task.privateFolder, 'home'));
  });

  it('has no input', async () => {
    expect((await runCommandAgent('cat; echo done')).output).toBe('done\n');
  });

  it('answers on stdout and logs on stderr', async () => {
    const { end, output, task } = await runCommandAgent(
      'echo answer; printf "one\\r\\n\\ntwo" >&2',
    );
    expect({ end, output }).toEqual({ end: 'finished', output: 'answer\n' });
    expect(task.steps).toEqual([
      { kind: 'log', text: 'one' },
      { kind: 'log', text: 'two' },
    ]);
  });

  it('keeps the end of an answer that is too long, and says so', async () => {
    const { output, task } = await runCommandAgent(
      'for i in 1 2; do printf "%0900000d\\n" $i; done',
    );
    expect(output).toBe(`… ${'2'.padStart(900_000, '0')}\n`);
    expect(task.steps).toEqual([
      { kind: 'log', text: expect.stringContaining('its beginning is left out') },
    ]);
  });

  it.each(['%099d', '%d'])('may log lines like %s without end', async (format) => {
    const { end, task } = await runCommandAgent(
      `yes "$(printf ${format} 1)" | head -n 50000 >&2; echo last >&2`,
    );
    expect(end).toBe('finished');
    expect(task.steps.length).toBeLessThan(12_000);
    expect(task.steps.at(-1)).toEqual({ kind: 'log', text: expect.stringContaining('left out') });
  });

  it.each([
    ['echo half; echo why >&2; exit 3', 'exited with code 3', 'half\n', 'why'],
    [
      'no-such-program',
      'exited with code 127: a program of its command line was not found',
      '',
      'no-such-program',
    ],
    [
      'cd /; /etc/passwd',
      'exited with code 126: a program of its command line could not',
      '',
      'ermission',
    ],
    ['echo half; kill -9 $$', 'was ended by SIGKILL', 'half\n', undefined],
  ])('that fails (%s) says how', async (runPrompt, message, output, details) => {
    const result = await runCommandAgent(runPrompt);
    expect(result.end).toBe('failed');
    expect(result.output).toBe(output);
    expect(result.failure).toMatchObject({
      code: 'failed',
      message: expect.stringContaining(`my-agent ${message}`),
      ...(details !== undefined && { details: expect.stringContaining(details) }),
    });
  });

  it('that cannot be started says so', async () => {
    const environment = { PATH: process.env.PATH, SHELL: '/nowhere/bash' };
    const { failure } = await runCommandAgent('true', { environment });
    expect(failure).toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('could not be started'),
    });
  });

  it('does not wait for what it leaves running, and leaves nothing running', async () => {
    const { end, output } = await runCommandAgent('sleep 1000 & echo $!');
    expect(end).toBe('finished');
    await expect.poll(() => isAlive(Number(output))).toBe(false);
  });

  it('is stopped with everything it started', async () => {
    const controller = new AbortController();
    const task = agentTask({ signal: controller.signal });
    const report = (step: AgentStep) => {
      task.steps.push(step);
      controller.abort();
    };
    // The shell leaves at SIGTERM; its child wants to clean up first.
    const runPrompt = `(trap 'echo cleaned; exit' TERM; echo $BASHPID; echo ready >&2; while :; do sleep 0.01; done); true`;
    const result = await commandAgent({ runPrompt }).run({ ...task, report });
    expect(result.end).toBe('stopped');
    expect(result.output).toMatch(/^\d+\ncleaned\n$/);
    await expect.poll(() => isAlive(Number.parseInt(result.output, 10))).toBe(false);
  });

  it('is killed with everything it started when it does not leave', async () => {
    const controller = new AbortController();
    const task = agentTask({ signal: controller.signal, report: () => controller.abort() });
    const runPrompt = "trap '' TERM; sleep 1000 & echo $!; echo ready >&2; while :; do wait; done";
    const result = await commandAgent({ runPrompt }).run(task);
    expect(result.end).toBe('stopped');
    await expect.poll(() => isAlive(Number(result.output))).toBe(false);
  }, 30_000);

  it('does not wait for what has left its group, even if that holds its output', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });
      console.log(child.pid);
      child.unref();`;
    const { end, output } = await runCommandAgent({
      runPrompt: '"$NODE" -e "$SCRIPT"',
      env: { NODE: process.execPath, SCRIPT: script },
    });
    expect(end).toBe('finished');
    process.kill(Number(output), 'SIGKILL');
  }, 30_000);

  it('does not start when it is stopped already', async () => {
    const { end, task } = await runCommandAgent('touch started', { signal: AbortSignal.abort() });
    expect(end).toBe('stopped');
    expect(readdirSync(task.workdir)).toEqual([]);
  });
});

describe('the arguments of a command', () => {
  const echo = "printf '[%s]' {{ .McpServerFileArgs }} {{ .AllowedToolArgs }}";
  const servers = [agentServer('one', 'a', 'b'), agentServer('two', 'c')];

  it('name the file with all servers once', async () => {
    const commands = { runPrompt: echo, argTemplateMcpServer: '--mcp-config {{ .File }}' };
    const { output, task } = await runCommandAgent(commands, { servers });
    const file = path.join(task.privateFolder, 'mcp-servers.json');
    expect(output).toBe(`[--mcp-config][${file}]`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: {
        one: { type: 'http', url: 'http://127.0.0.1:1234/token/one' },
        two: { type: 'http', url: 'http://127.0.0.1:1234/token/two' },
      },
    });
  });

  it('name each server by itself where the template does', async () => {
    const commands = {
      runPrompt: echo,
      argTemplateMcpServer: '--mcp {{ .ServerName }}={{ .URL }}',
    };
    expect((await runCommandAgent(commands, { servers })).output).toBe(
      '[--mcp][one=http://127.0.0.1:1234/token/one][--mcp][two=http://127.0.0.1:1234/token/two]',
    );
  });

  it.each([
    [undefined, '[mcp__one__a][mcp__one__b][mcp__two__c]'],
    [',', '[mcp__one__a,mcp__one__b,mcp__two__c]'],
  ])('join the allowed tools with %j', async (allowedToolsJoinSeparator, expected) => {
    const commands = {
      runPrompt: echo,
      argTemplateAllowedTools: 'mcp__{{ .ServerName }}__{{ .ToolName }}',
      allowedToolsJoinSeparator,
    };
    expect((await runCommandAgent(commands, { servers })).output).toBe(expected);
  });

  it.each([
    'a$(touch pwned)',
    'a`touch pwned`',
    "a'; touch pwned; '",
    'a"; touch pwned; "',
    'a\ntouch pwned',
    'a b',
    'a,Bash',
    '*',
    '--dangerously-skip-permissions',
    '',
  ])('do not take the tool name %j', async (tool) => {
    for (const place of ['{{ .AllowedToolArgs }}', '"{{ .AllowedToolArgs }}"']) {
      const { failure, task } = await runCommandAgent(
        { runPrompt: `true ${place}`, argTemplateAllowedTools: '{{ .ToolName }}' },
        { servers: [agentServer('evil', tool)] },
      );
      expect(failure).toMatchObject({
        code: 'not-started',
        message: `the tool name of the server evil ${JSON.stringify(tool)} has characters that cannot stand in a command line`,
      });
      expect(readdirSync(task.workdir)).toEqual([]);
    }
  });

  it('do not take a tool name with the separator in it', async () => {
    const { failure } = await runCommandAgent(
      {
        runPrompt: echo,
        argTemplateAllowedTools: '{{ .ToolName }}',
        allowedToolsJoinSeparator: ':',
      },
      { servers: [agentServer('evil', 'a:Bash')] },
    );
    expect(failure?.code).toBe('not-started');
  });

  it('do not care for names that they do not use', async () => {
    const { end } = await runCommandAgent(
      { runPrompt: 'true', argTemplateAllowedTools: '{{ .ToolName }}' },
      { servers: [agentServer('evil', '$(touch pwned)')] },
    );
    expect(end).toBe('finished');
  });

  it('do not take a path that the shell would take apart', async () => {
    const task = agentTask();
    const privateFolder = path.join(task.workdir, 'with space');
    mkdirSync(privateFolder);
    const agent = commandAgent({ runPrompt: echo, argTemplateMcpServer: '{{ .File }}' });
    const { failure } = await agent.run({ ...task, privateFolder });
    expect(failure).toMatchObject({
      code: 'not-started',
      details: expect.stringContaining('TMPDIR'),
    });
  });

  it('lead agents that speak only stdio over the bridge', async () => {
    const { task } = await runCommandAgent(
      { runPrompt: 'true', mcpTransport: 'stdio' },
      { servers },
    );
    const file = path.join(task.privateFolder, 'mcp-servers.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.one).toEqual({
      type: 'stdio',
      command: process.execPath,
      args: [path.join(task.privateFolder, 'bridge.cjs'), servers[0]?.url],
    });
  });
});

const shells = ['bash', 'sh', 'dash', 'zsh'].filter((shell) =>
  ['/bin', '/usr/bin'].some((folder) => existsSync(path.join(folder, shell))),
);

const places = [
  'printf %s {{ .Prompt }}',
  'printf %s "{{ .Prompt }}"',
  "printf %s '{{ .Prompt }}'",
  'printf %s {{ printf "%q" .Prompt }}',
  'printf %s "$PROCTOR_PROMPT"',
  'cat "$PROCTOR_PROMPT_FILE"',
];

describe('the prompt of a command', () => {
  it.each(shells.flatMap((shell) => places.map((place) => [shell, place])))(
    'arrives unchanged in %s through %s and never executes',
    async (shell, place) => {
      const prompts = [
        '',
        `it's "quoted" 'twice'`,
        '$(touch pwned) `touch pwned` ${HOME} $$ \\$(touch pwned)',
        `'; touch pwned; ' "; touch pwned; "`,
        'lines\n and the end \n\n\n',
        'back\\slashes \\\\ \\n \\" \\',
        '-n * ? [a] ~ {a,b} !! %s & | < > ; #',
        'naïve 😀 日本語 \u0081\u0088 \t\r\u0001',
      ];
      for (const prompt of prompts) {
        const environment = { PATH: process.env.PATH, SHELL: shell };
        const { end, output, task } = await runCommandAgent(place, { prompt, environment });
        expect({ end, output }).toEqual({ end: 'finished', output: prompt });
        expect(readdirSync(task.workdir)).toEqual([]);
      }
    },
    30_000,
  );

  it.each(shells)(
    'arrives whatever it is through every place of one %s command',
    async (shell) => {
      const texts = places.map((place) => place.replace(/^(?:printf %s|cat)/, '')).slice(0, 5);
      const command = `printf '%s\\0' ${texts.join(' ')} x{{ .Prompt }} "y{{ .Prompt }}z"`;
      const environment = { PATH: process.env.PATH, SHELL: shell };
      const prompts = fc
        .string({ unit: 'binary', maxLength: 200 })
        .map((text) => text.replaceAll('\0', ''));
      await fc.assert(
        fc.asyncProperty(prompts, async (prompt) => {
          const { output } = await runCommandAgent(command, { prompt, environment });
          const expected = [...Array(5).fill(prompt), `x${prompt}`, `y${prompt}z`];
          expect(output.split('\0').slice(0, -1)).toEqual(expected);
        }),
        { numRuns: 30 },
      );
    },
    60_000,
  );

  it('does not trust a shell with other quotes', async () => {
    const environment = { PATH: process.env.PATH, SHELL: '/usr/bin/fish' };
    const { output } = await runCommandAgent('echo "$BASH_VERSION"', { environment });
    expect(output).toMatch(/^\d/);
  });

  it('is in a private file, and in the environment', async () => {
    const { output, task } = await runCommandAgent(
      'printf "%s %s" "$PROCTOR_PROMPT_FILE" "$PROCTOR_PROMPT"',
    );
    const file = path.join(task.privateFolder, 'prompt.txt');
    expect(output).toBe(`${file} Say hello.`);
    expect(readFileSync(file, 'utf8')).toBe('Say hello.');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['200 kB', 'x'.repeat(200_000)],
    ['a NUL', 'a\0b'],
  ])('with %s reaches a command that reads the file', async (_, prompt) => {
    const environment = { PATH: process.env.PATH, PROCTOR_PROMPT: 'inherited' };
    const command = 'cat "$PROCTOR_PROMPT_FILE"; env | grep -c ^PROCTOR_PR[O]MPT=';
    const { output } = await runCommandAgent(command, { prompt, environment });
    expect(output).toBe(`${prompt}0\n`);
  });

  it.each(
    ['{{ .Prompt }}', '"$PROCTOR_PROMPT"', '{{ printf "%q" .Prompt }}'].flatMap((place) => [
      [place, 'x'.repeat(120 * 1024 + 1), '122881 bytes'],
      [place, 'a\0b', 'NUL'],
    ]),
  )('through %s is refused if it is too long or has a NUL', async (place, prompt, reason) => {
    const { end, failure, task } = await runCommandAgent(`touch started; true ${place}`, {
      prompt,
    });
    expect({ end, code: failure?.code }).toEqual({ end: 'failed', code: 'not-started' });
    expect(failure?.message).toContain(reason);
    expect(failure?.message).toContain('PROCTOR_PROMPT_FILE');
    expect(readdirSync(task.workdir)).toEqual([]);
  });

  it('may have 120 KiB', async () => {
    const prompt = '\u00e9'.repeat(60 * 1024);
    expect((await runCommandAgent('printf %s "{{ .Prompt }}"', { prompt })).output).toBe(prompt);
  });

  it('is refused where its quotes make the command line too long', async () => {
    const prompt = "'".repeat(100_000);
    const { failure } = await runCommandAgent('true {{ printf "%q" .Prompt }}', { prompt });
    expect(failure).toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('the command line would be 400007 bytes long'),
      details: expect.stringContaining('PROCTOR_PROMPT_FILE'),
    });
  });
});

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
