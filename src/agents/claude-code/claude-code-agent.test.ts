import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  agentServer,
  agentTask,
  claudeAgent,
  standInEnvironment,
} from '../../../testing/agent-tasks.js';
import { RawJson } from '../../base/json-text.js';
import type { AgentTask } from '../agent.js';

async function run(
  stream: string,
  changes: Partial<AgentTask> = {},
  agent = claudeAgent(),
  variables: Record<string, string> = {},
) {
  const task = agentTask({ environment: standInEnvironment(stream, variables), ...changes });
  return { result: await agent.run(task), task };
}

/** What the stand-in noted. */
function noted(task: AgentTask, what: 'arguments' | 'environment' | 'prompt'): string {
  return readFileSync(path.join(task.workdir, `${what}.txt`), 'utf8');
}

describe('the stream of Claude Code', () => {
  it('gives the answer, steps, tokens, cost, denials and the servers it could not use', async () => {
    const { result, task } = await run('tool-calls');
    expect(result).toEqual({
      end: 'finished',
      output: 'Done: hello',
      usage: { inputTokens: 66, outputTokens: 14, cachedInputTokens: 40, cacheWriteTokens: 6 },
      cost: 0.00039799999999999997,
      model: 'claude-opus-5-5',
      permissionDenials: [{ tool: 'mcp__everything__get-sum' }],
      unusableServers: [{ name: 'dead', status: 'failed' }],
    });
    expect(task.steps).toEqual([
      { kind: 'thinking', text: 'I should echo.' },
      { kind: 'message', text: 'I will call echo.' },
      {
        kind: 'tool-call',
        tool: 'mcp__everything__echo',
        id: 'toolu_1',
        args: new RawJson('{"message":"hello"}'),
      },
      {
        kind: 'tool-call',
        tool: 'mcp__everything__get-sum',
        id: 'toolu_2',
        args: new RawJson('{"a":1,"b":2}'),
      },
      {
        kind: 'tool-result',
        id: 'toolu_2',
        isError: true,
        text: "Claude requested permissions to use mcp__everything__get-sum, but you haven't granted it yet.",
      },
      { kind: 'tool-result', id: 'toolu_1', isError: false, text: 'Echo: hello' },
      { kind: 'message', text: 'Done: hello' },
    ]);
  });

  it('reports that the steps were too many', async () => {
    const { result } = await run('max-turns', {}, claudeAgent(), { STAND_IN_EXIT: '1' });
    expect(result).toMatchObject({
      end: 'failed',
      failure: {
        code: 'failed',
        message: 'claude failed: Reached maximum number of turns (1)',
      },
      usage: { inputTokens: 33, outputTokens: 7 },
    });
  });

  it.each(['0', '1'])('reports a missing login, with exit code %s', async (code) => {
    const { result } = await run('not-logged-in', {}, claudeAgent(), { STAND_IN_EXIT: code });
    expect(result).toMatchObject({
      end: 'failed',
      failure: {
        code: 'failed',
        message: 'claude failed: Not logged in · Please run /login',
        details: expect.stringContaining('ANTHROPIC_API_KEY'),
      },
    });
    expect(result.model).toBe('claude-opus-5-5');
  });

  it('without a result is a failure, whatever the exit code', async () => {
    const { result, task } = await run('retries', {}, claudeAgent(), { STAND_IN_LOG: 'oh no' });
    expect(result).toMatchObject({
      end: 'failed',
      failure: { code: 'failed', message: 'claude ended without a result', details: 'oh no' },
    });
    expect(task.steps[0]).toEqual({
      kind: 'log',
      text: 'the request to the model failed (authentication_failed, 401) and is sent again, 1 of 10',
    });
  });

  it('with a result is a failure when the program then fails', async () => {
    const variables = { STAND_IN_EXIT: '3', STAND_IN_LOG: 'it broke' };
    const { result } = await run('tool-calls', {}, claudeAgent(), variables);
    expect(result).toMatchObject({
      end: 'failed',
      failure: { message: 'claude exited with code 3', details: 'it broke' },
      output: 'Done: hello',
    });
  });

  it('may be hostile', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const block = (content: string) => `{"type":"assistant","message":{"content":[${content}]}}`;
    const huge = 'x'.repeat(10 * 1024 * 1024);
    const lines = [
      'no JSON',
      '[]',
      'null',
      '{"type":7}',
      '{"type":"system","subtype":"init","mcp_servers":[{"name":"odd"}],"model":7}',
      block(`{"type":"tool_use","name":"deep","input":${deep}}`),
      block(`{"type":"tool_use","name":"huge","input":"${huge}"}`),
      block('{"type":"tool_use","name":"numbers","input":{"n":12345678901234567890,"n":1.0}}'),
      block('{"type":"tool_use"},7,null'),
      '{"type":"assistant","message":{"content":"text"}}',
      `{"type":"user","message":{"content":[{"type":"tool_result","content":${deep}}]}}`,
      `{"type":"user","message":{"content":[{"type":"tool_result","content":"${huge}"}]}}`,
      `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"image"}]}]}}`,
      '{"type":"result","subtype":"success","is_error":false,"result":"ok","usage":{"input_tokens":"many"},"total_cost_usd":"much","permission_denials":{}}',
    ];
    const task = agentTask();
    const file = path.join(task.privateFolder, 'stream.jsonl');
    writeFileSync(file, lines.join('\r\n'));
    const environment = standInEnvironment('tool-calls', { STAND_IN_STREAM: file });
    const result = await claudeAgent().run({ ...task, environment });
    expect(result).toEqual({
      end: 'finished',
      output: 'ok',
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
      unusableServers: [{ name: 'odd', status: 'unknown' }],
    });
    expect(task.steps).toEqual([
      ...lines.slice(0, 4).map((text) => ({ kind: 'log', text })),
      { kind: 'tool-call', tool: 'deep', args: new RawJson(deep) },
      { kind: 'tool-call', tool: 'huge' },
      {
        kind: 'tool-call',
        tool: 'numbers',
        args: new RawJson('{"n":12345678901234567890,"n":1.0}'),
      },
      { kind: 'tool-result', isError: false, text: '' },
      { kind: 'tool-result', isError: false, text: `${'x'.repeat(10_000)} …` },
      { kind: 'tool-result', isError: false, text: '[image]' },
    ]);
  });
});

describe('what Claude Code is given', () => {
  const servers = [agentServer('one', 'a', 'b'), agentServer('my.server', 'x,Bash', '$(touch y)')];

  it('are its servers, and the tools it may use in its own spelling', async () => {
    const { task } = await run('tool-calls', { servers });
    const file = path.join(task.privateFolder, 'mcp-servers.json');
    expect(noted(task, 'arguments').trimEnd().split('\n')).toEqual([
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...['--mcp-config', file, '--strict-mcp-config'],
      '--allowedTools',
      'mcp__one__a,mcp__one__b,mcp__my_server__x_Bash,mcp__my_server____touch_y_',
    ]);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual([
      'one',
      'my.server',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('are very many tools in a file', async () => {
    const tools = Array.from({ length: 10_000 }, (_, index) => `tool_number_${index}`);
    const { task } = await run('tool-calls', { servers: [agentServer('many', ...tools)] });
    const file = path.join(task.privateFolder, 'claude-settings.json');
    expect(noted(task, 'arguments')).toContain(`--settings\n${file}\n`);
    expect(noted(task, 'arguments')).not.toContain('--allowedTools');
    expect(JSON.parse(readFileSync(file, 'utf8')).permissions.allow).toHaveLength(10_000);
  });

  it.each([
    ['200 kB', 'long '.repeat(40_000)],
    ['everything', `'"\`touch x\` $(touch x) \\ 😀 \0 \n\n`],
  ])('is a prompt with %s, unchanged', async (_, prompt) => {
    const { task } = await run('tool-calls', { prompt });
    expect(noted(task, 'prompt')).toBe(prompt);
  });

  it('are the model, the params, the key and the address', async () => {
    const agent = claudeAgent({
      model: 'opus',
      params: { maxSteps: 7, system: 'Be brief.' },
      env: { OWN: '1' },
      baseUrl: 'http://127.0.0.1:1/',
      apiKey: 'MY_KEY',
    });
    const { task } = await run('tool-calls', {}, agent, { MY_KEY: 'secret' });
    expect(noted(task, 'arguments')).toContain(
      '--model\nopus\n--max-turns\n7\n--append-system-prompt\nBe brief.\n',
    );
    expect(noted(task, 'environment').split('\n')).toEqual(
      expect.arrayContaining([
        'OWN=1',
        'ANTHROPIC_BASE_URL=http://127.0.0.1:1/',
        'ANTHROPIC_API_KEY=secret',
        'ENABLE_TOOL_SEARCH=false',
      ]),
    );
  });

  it('is an empty HOME, and servers over stdio, if its commands say so', async () => {
    const agent = claudeAgent({}, { useVirtualHome: true, mcpTransport: 'stdio' });
    const { task } = await run('tool-calls', { servers }, agent);
    expect(noted(task, 'environment')).toContain(`HOME=${task.privateFolder}/home\n`);
    const file = path.join(task.privateFolder, 'mcp-servers.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.one.type).toBe('stdio');
  });
});

describe('a command line in place of that of Claude Code', () => {
  it('is read as stream-json if it is that', async () => {
    const agent = claudeAgent(
      { model: 'opus' },
      {
        runPrompt:
          'claude {{ .McpServerFileArgs }} -p {{ .Prompt }} --allowedTools {{ .AllowedToolArgs }}',
      },
    );
    const servers = [agentServer('one', 'a', 'b')];
    const { result, task } = await run('tool-calls', { servers }, agent);
    expect(result).toMatchObject({
      end: 'finished',
      output: 'Done: hello',
      cost: expect.any(Number),
    });
    const file = path.join(task.privateFolder, 'mcp-servers.json');
    expect(noted(task, 'arguments')).toBe(
      `--mcp-config\n${file}\n-p\nSay hello.\n--allowedTools\nmcp__one__a,mcp__one__b\n`,
    );
    expect(noted(task, 'environment')).toContain('ANTHROPIC_MODEL=opus\n');
  });

  it('is read as text if it is that', async () => {
    const agent = claudeAgent({}, { runPrompt: 'echo {{ .Prompt }}' });
    const { result } = await run('tool-calls', {}, agent);
    expect(result).toEqual({ end: 'finished', output: 'Say hello.\n' });
  });

  it('keeps what it does not change', async () => {
    const agent = claudeAgent({}, { argTemplateAllowedTools: 'mcp__{{ .ServerName }}' });
    const { result, task } = await run('tool-calls', { servers: [agentServer('one', 'a')] }, agent);
    expect(result.output).toBe('Done: hello');
    expect(noted(task, 'prompt')).toBe('Say hello.');
    expect(noted(task, 'arguments')).toMatch(/\n--strict-mcp-config\n--allowedTools\nmcp__one\n$/);
  });

  it('that fails without a stream says how', async () => {
    const agent = claudeAgent({}, { runPrompt: 'echo why >&2; exit 3' });
    const { result } = await run('tool-calls', {}, agent);
    expect(result).toMatchObject({
      end: 'failed',
      failure: { message: 'claude exited with code 3', details: 'why' },
    });
  });
});

describe('Claude Code that is not there', () => {
  it('is a failure', async () => {
    const environment = { PATH: '/nowhere' };
    const result = await claudeAgent().run(agentTask({ environment }));
    expect(result).toMatchObject({
      end: 'failed',
      failure: {
        code: 'not-started',
        message: 'claude could not be started: command not found: claude',
      },
    });
  });
});

describe('Claude Code that is stopped', () => {
  it('leaves what it said until then', async () => {
    const controller = new AbortController();
    const agent = claudeAgent({}, { runPrompt: 'cat "$STAND_IN_STREAM"; sleep 1000' });
    const task = agentTask({
      environment: standInEnvironment('tool-calls'),
      signal: controller.signal,
      report: (step) => {
        if (step.kind === 'message' && step.text === 'Done: hello') controller.abort();
      },
    });
    expect(await agent.run(task)).toMatchObject({ end: 'stopped', output: 'Done: hello' });
  });
});

function prepare(agent = claudeAgent(), variables: Record<string, string> = {}) {
  return agent.prepare({
    environment: standInEnvironment('tool-calls', variables),
    signal: new AbortController().signal,
  });
}

describe('before anything runs, Claude Code', () => {
  it('claude reports its version, and needs no key', async () => {
    expect(await prepare()).toEqual({ problems: [], version: '2.1.325' });
    const agent = claudeAgent({}, { runPrompt: 'claude {{ .Prompt }}' });
    expect(await prepare(agent)).toEqual({ problems: [], version: '2.1.325' });
  });

  it.each([
    ['by itself', claudeAgent()],
    ['in a command', claudeAgent({}, { runPrompt: 'claude {{ .Prompt }}' })],
  ])('is missed %s', async (_, agent) => {
    const environment = { PATH: '/nowhere', SHELL: '/bin/sh' };
    const signal = new AbortController().signal;
    expect(await agent.prepare({ environment, signal })).toEqual({
      problems: [
        {
          message: expect.stringMatching(/^the program claude .*was not found$/),
          hint: 'npm install -g @anthropic-ai/claude-code',
        },
      ],
    });
  });

  it('is found to be broken', async () => {
    const variables = { STAND_IN_EXIT: '1', STAND_IN_LOG: 'native binary not installed' };
    expect(await prepare(claudeAgent(), variables)).toEqual({
      problems: [
        {
          message: 'claude --version exited with code 1: native binary not installed',
          hint: 'npm install -g @anthropic-ai/claude-code',
        },
      ],
    });
  });

  it('misses the key that the file names', async () => {
    const agent = claudeAgent({ apiKey: 'MY_KEY' });
    expect(await prepare(agent)).toMatchObject({
      problems: [
        {
          message: 'the variable MY_KEY, which apiKey names, is not set',
          hint: 'set MY_KEY to an API key of Anthropic',
        },
      ],
    });
    expect(await prepare(agent, { MY_KEY: 'secret' })).toMatchObject({ problems: [] });
  });

  it.each([
    [{ temperature: 0 }, 'claude-code has no params.temperature; it takes maxSteps and system'],
    [{ maxSteps: 0 }, 'params.maxSteps must be a whole number above 0'],
    [{ system: 7 }, 'params.system must be text'],
  ])('does not take the params %j', async (params, message) => {
    expect(await prepare(claudeAgent({ params }))).toMatchObject({ problems: [{ message }] });
  });

  it('does not take params beside a command line', async () => {
    const agent = claudeAgent({ params: { maxSteps: 7 } }, { runPrompt: 'claude {{ .Prompt }}' });
    expect(await prepare(agent)).toMatchObject({
      problems: [{ message: 'params.maxSteps has no effect: commands overrides the command line' }],
    });
  });

  it('reports the version that getVersion prints', async () => {
    const agent = claudeAgent({}, { getVersion: 'echo 9.9.9 of ours' });
    expect(await prepare(agent)).toEqual({ problems: [], version: '9.9.9' });
  });
});

it('is kept when Claude Code gives up in plain words, and not in its stream', async () => {
  const task = agentTask();
  const complaint = path.join(task.privateFolder, 'complaint.txt');
  writeFileSync(complaint, 'Your organization has disabled Claude Code.\n');
  const environment = standInEnvironment('', { STAND_IN_STREAM: complaint, STAND_IN_EXIT: '1' });

  const result = await claudeAgent().run({ ...task, environment });

  expect(result).toMatchObject({
    end: 'failed',
    failure: {
      message: 'claude exited with code 1',
      details: 'Your organization has disabled Claude Code.',
    },
  });
  expect(task.steps).toEqual([
    { kind: 'log', text: 'Your organization has disabled Claude Code.' },
  ]);
});
