import { expect, test } from 'vitest';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { checkWithAgent } from './agent-check.js';
import { byName, oneOfEachKind, realAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

test.for(byName(realAgents))(
  '%s goes on when a server on stdio dies, and the verdict blames the server',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({ agent, model, evalFile: 'dead-stdio-server.yaml' });

    expect(check, check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'error',
      failure: { category: 'server-exited', message: expect.stringContaining('local') },
      calls: [{ server: 'local', name: 'exit', isError: true }],
    });
  },
);

test.for(byName(oneOfEachKind))(
  '%s goes on when a server on HTTP is gone, and the verdict blames the server',
  async ([, agent]) => {
    const model = await startModel();
    const remoteUrl = await startServerThatEnds();

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'dead-http-server.yaml',
      remoteUrl,
    });

    expect(check, check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'error',
      failure: { category: 'server-failed', message: expect.stringContaining('remote') },
      calls: [],
    });
  },
);

test.for(byName(oneOfEachKind))(
  '%s is not even started when a server is dead from the start',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'dead-http-server.yaml',
      remoteUrl: 'http://127.0.0.1:9/mcp',
    });

    expect(check).toMatchObject({ exitCode: 2, taskRun: undefined, processesLeft: [] });
    expect(check.stderr).toContain('remote');
    expect(model.requests).toEqual([]);
  },
);

/** A server that is gone as soon as it was found to be there. */
async function startServerThatEnds(): Promise<string> {
  const server = await ScriptedHttpServer.listen({
    'POST initialize': ({ id, response }) => {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'mortal', version: '1' },
      };
      answerJson(response, { jsonrpc: '2.0', id, result });
    },
    'POST tools/list': ({ id, response }) => {
      const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
      response.once('finish', () => server.close());
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
  });
  return server.url;
}
