import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, serverProgram, startEverything } from '../support/mcp-servers.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { ModelRequest, Turn } from '../support/model-server/turn.js';
import { literalJudge, OldSuite } from '../support/old-suite.js';

let everything: HttpServer;
let model: ModelServer;
beforeAll(async () => {
  everything = await startEverything('streamableHttp');
  model = await ModelServer.start(workerOrJudge);
});
afterAll(async () => {
  await everything.stop();
  await model.close();
});

/** The model of a suite whose agent is one too. */
function workerOrJudge(request: ModelRequest): Turn {
  if (request.prompt.includes('-----BEGIN TASK')) return literalJudge(request);
  if (request.round > 0) return { text: 'It is called.' };
  return {
    toolCalls: [{ match: (names) => names.find((name) => /(echo|pods_list)$/.test(name)) }],
  };
}

describe('a suite without an MCP config', () => {
  it.each([
    [
      'a program',
      'cluster',
      () => ({
        MCP_COMMAND: process.execPath,
        MCP_ARGS: JSON.stringify([serverProgram('kubernetes-server.mjs')]),
        MCP_ENV: '{"LOG_LEVEL":"error"}',
        MCP_SERVER_NAME: 'cluster',
        MCP_ENABLE_ALL_TOOLS: 'true',
      }),
    ],
    [
      'an address',
      'default',
      () => ({ MCP_URL: everything.url, MCP_HEADERS: '{"X-Cluster":"west"}' }),
    ],
    [
      'a host and a port',
      'default',
      () => ({ MCP_HOST: '127.0.0.1', MCP_PORT: new URL(everything.url).port, MCP_PATH: '/mcp' }),
    ],
  ])('takes the server from variables: %s', async (_, server, variables) => {
    const suite = await OldSuite.copy('environment-style', {
      ...variables(),
      MODEL_BASE_URL: `${model.url}/v1`,
      MODEL_KEY: 'key',
      JUDGE_MODEL_NAME: 'judge-1',
    });

    const { exitCode, stdout, taskRuns } = await suite.check();

    expect(exitCode, stdout).toBe(0);
    expect(taskRuns).toMatchObject([
      { outcome: 'passed', verified: true, output: 'It is called.', calls: [{ server }] },
    ]);
    expect(await suite.proctor('validate', '--strict', 'eval.yaml')).toMatchObject({ exitCode: 0 });
  });

  it('may be about skills alone', async () => {
    const suite = await OldSuite.copy('skills-only');

    const { exitCode, stdout, taskRuns } = await suite.check();

    expect(exitCode, stdout).toBe(0);
    expect(taskRuns).toMatchObject([
      { outcome: 'passed', verified: null, assertions: [{ name: 'skillsLoaded', passed: true }] },
    ]);
    expect(await suite.proctor('validate', '--strict', 'eval.yaml')).toMatchObject({ exitCode: 0 });
  });
});
