import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runAcpAgent } from '../support/acp-run.js';
import { everythingProgram } from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const everything = {
  command: process.execPath,
  args: [everythingProgram],
  alwaysAllow: ['echo', 'get-sum'],
};

async function startProxy() {
  const proxy = await RunningProxy.start({ everything });
  const url = proxy.url('everything');
  return { proxy, servers: [{ name: 'everything', url, allowedTools: ['echo', 'get-sum'] }] };
}

it('an agent uses an allowed tool through the proxy, and its steps are told in order', async () => {
  const { proxy, servers } = await startProxy();
  const { result, steps } = await runAcpAgent(['acp-agent.mjs', 'everything/echo'], { servers });
  expect(result).toEqual({
    end: 'finished',
    output: 'Answer: Echo: hello',
    usage: { inputTokens: 25, outputTokens: 5, cachedInputTokens: 15 },
    cost: 0.25,
  });
  expect(steps).toEqual([
    { kind: 'thinking', text: 'What have I got?' },
    { kind: 'message', text: 'Let me see.' },
    {
      kind: 'tool-call',
      tool: 'mcp__everything__echo',
      id: 'call-0',
      args: expect.objectContaining({ text: '{"message":"hello"}' }),
    },
    { kind: 'tool-result', id: 'call-0', isError: false, text: 'Echo: hello' },
    { kind: 'message', text: 'Answer: Echo: hello' },
  ]);
  const { calls } = await proxy.stop();
  expect(calls.filter(({ kind }) => kind === 'tool')).toMatchObject([
    { server: 'everything', name: 'echo', isError: false },
  ]);
});

it('an agent that cannot do HTTP reaches the servers over the bridge', async () => {
  const { proxy, servers } = await startProxy();
  const { result } = await runAcpAgent(['acp-agent.mjs', '--no-http', 'everything/echo'], {
    servers,
  });
  expect(result).toMatchObject({ end: 'finished', output: 'Answer: Echo: hello' });
  const { calls } = await proxy.stop();
  expect(calls.filter(({ kind }) => kind === 'tool')).toMatchObject([{ name: 'echo' }]);
});

it('a tool that is not allowed is refused, and counts as a denial', async () => {
  const { proxy, servers } = await startProxy();
  const { result, steps } = await runAcpAgent(
    ['acp-agent.mjs', 'everything/get-env', 'everything/echo'],
    { servers },
  );
  expect(result).toMatchObject({
    end: 'finished',
    output: 'Answer: get-env refused with c, Echo: hello',
    permissionDenials: [{ tool: 'mcp__everything__get-env' }],
  });
  expect(steps).toContainEqual({
    kind: 'tool-result',
    id: 'call-0',
    isError: true,
    text: 'not allowed',
  });
  const { calls } = await proxy.stop();
  expect(calls.filter(({ kind }) => kind === 'tool')).toMatchObject([{ name: 'echo' }]);
});

it('a command line that looks like an allowed tool is refused', async () => {
  const servers = [{ name: 'git', url: 'http://127.0.0.1:1/', allowedTools: ['status'] }];
  for (const command of ['git status', 'git_status', 'mcp__git__status']) {
    const { result } = await runAcpAgent(['acp-misfit.mjs', 'asks-for-shell', command], {
      servers,
    });
    expect(result).toMatchObject({ output: 'no', permissionDenials: [{ tool: command }] });
  }
});

it('a prompt arrives as it is, whatever is in it', async () => {
  const hostile =
    '"quotes" \'single\' $(touch pwned) `touch pwned` \\ \r\n\n\t\u0000 \u2028 🦊 %s {{ .Prompt }}';
  const prompt = hostile + 'ä🦊'.repeat(40_000) + hostile;
  expect(Buffer.byteLength(prompt)).toBeGreaterThan(200_000);
  const { result, workdir } = await runAcpAgent(['acp-agent.mjs'], { prompt });
  expect(result.end).toBe('finished');
  expect(await readFile(path.join(workdir, 'prompt.txt'), 'utf8')).toBe(prompt);
});

it('an agent has its own environment on top of the inherited one', async () => {
  const { result } = await runAcpAgent(['acp-misfit.mjs', 'says-its-variable'], {
    env: { WORD: 'hello', HOME: '/nowhere' },
  });
  expect(result).toEqual({ end: 'finished', output: 'hello' });
});
