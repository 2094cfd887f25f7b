import { chmod } from 'node:fs/promises';
import { describe, expect, type TestContext } from 'vitest';
import { type ReceivedRequest, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

/** Nobody listens there. */
const nowhere = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'key-for-nobody' };
/** Shorter than the tries to reach a model take that ends every connection. */
const limits = { timeout: '2s' };

async function startModelThatHangsUp(onTestFinished: TestContext['onTestFinished']) {
  const others = ({ response }: ReceivedRequest) => void response.destroy();
  const model = await ScriptedHttpServer.listen({ others }, onTestFinished);
  return { ...nowhere, OPENAI_BASE_URL: `${model.origin}/v1` };
}

describe.concurrent('a model that cannot be reached within the limit of the task', () => {
  it("leaves the task run unjudged if it is the agent's", async ({ makeSuite, onTestFinished }) => {
    const env = await startModelThatHangsUp(onTestFinished);
    const suite = await makeSuite({
      tasks: { one: { spec: { limits, verify: [script('test -e nothing')] } } },
      agent: { builtin: { type: 'openai-agent', model: 'gpt-x' } },
    });
    const { exitCode, results, taskRuns } = await suite.check([], env);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: {
          category: 'agent-failed',
          message: expect.stringMatching(/^the model API at 127\.0\.0\.1:\d+ could not be reached/),
        },
      },
    ]);
    expect(results?.totals.outcomes).toMatchObject({ error: 1, timeout: 0 });
  });

  it('leaves the task run unjudged if it never answers', async ({ makeSuite, onTestFinished }) => {
    const model = await ScriptedHttpServer.listen({ POST: () => {} }, onTestFinished);
    const suite = await makeSuite({
      tasks: { one: { spec: { limits } } },
      agent: { builtin: { type: 'openai-agent', model: 'gpt-x' } },
    });
    const env = { ...nowhere, OPENAI_BASE_URL: `${model.origin}/v1` };
    const { taskRuns } = await suite.check([], env);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: {
          category: 'agent-failed',
          message: expect.stringMatching(/^the model API at 127.* did not answer in time$/),
        },
      },
    ]);
  });

  it('leaves the task run unjudged if Claude Code tells of it', async ({ makeSuite }) => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 3, max_retries: 10 };
    const lines = [
      { type: 'system', subtype: 'init', session_id: 's', mcp_servers: [], tools: [] },
      { ...retry, error: 'unknown', error_status: null },
    ];
    const claude = `#!/bin/sh
case "$*" in *--version*) echo '2.1.325 (Claude Code)'; exit;; esac
${lines.map((line) => `echo '${JSON.stringify(line)}'`).join('\n')}
exec sleep 60
`;
    const suite = await makeSuite({
      tasks: { one: { spec: { limits } } },
      agent: { builtin: { type: 'claude-code' } },
      files: { 'bin/claude': claude },
    });
    await chmod(suite.path('bin/claude'), 0o755);
    const { taskRuns } = await suite.check([], {
      PATH: `${suite.path('bin')}:${process.env.PATH}`,
    });
    const message = 'the model of agent could not be reached, 3 times';
    expect(taskRuns).toMatchObject([
      { outcome: 'error', failure: { category: 'agent-failed', message } },
    ]);
  });

  it("leaves the task run unjudged if it is the judge's", async ({ makeSuite, onTestFinished }) => {
    const env = await startModelThatHangsUp(onTestFinished);
    const suite = await makeSuite({
      tasks: { one: { spec: { limits, verify: [{ llmJudge: { contains: 'yes' } }] } } },
      config: { llmJudge: { ref: { type: 'builtin.openai-agent', model: 'gpt-x' } } },
    });
    const { exitCode, taskRuns } = await suite.check([], env);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([{ outcome: 'error', failure: { category: 'judge-error' } }]);
  });

  it('is a timeout if it has begun to answer', async ({ makeSuite, onTestFinished }) => {
    const model = await ScriptedHttpServer.listen(
      {
        POST: ({ response }) => {
          response.writeHead(200, { 'content-type': 'application/json' }).write('{"id": "1",');
        },
      },
      onTestFinished,
    );
    const suite = await makeSuite({
      tasks: { one: { spec: { limits } } },
      agent: { builtin: { type: 'openai-agent', model: 'gpt-x' } },
    });
    const env = { ...nowhere, OPENAI_BASE_URL: `${model.origin}/v1` };
    const { taskRuns } = await suite.check([], env);
    expect(taskRuns).toMatchObject([{ outcome: 'timeout', failure: { category: 'timeout' } }]);
  });

  it('is a timeout if it has answered before', async ({ makeSuite, onTestFinished }) => {
    let asked = 0;
    const call = { id: 'c1', type: 'function', function: { name: 'pid', arguments: '{}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    const model = await ScriptedHttpServer.listen(
      {
        POST: ({ response }) => {
          asked += 1;
          if (asked > 1) response.destroy();
          else {
            response.writeHead(200, { 'content-type': 'application/json' });
            response.end(JSON.stringify({ id: '1', model: 'gpt-x', choices }));
          }
        },
      },
      onTestFinished,
    );
    const suite = await makeSuite({
      tasks: { one: { spec: { limits: { timeout: '6s' } } } },
      agent: { builtin: { type: 'openai-agent', model: 'gpt-x' } },
    });
    const env = { ...nowhere, OPENAI_BASE_URL: `${model.origin}/v1` };
    const { taskRuns } = await suite.check([], env);
    expect(asked).toBeGreaterThan(1);
    expect(taskRuns).toMatchObject([{ outcome: 'timeout', failure: { category: 'timeout' } }]);
  });
});

describe.concurrent('a model that refuses the connection', () => {
  const message = 'the model API at 127.0.0.1:1 could not be reached, 3 times';

  it("is asked three times, and reported, if it is the agent's", async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: { builtin: { type: 'openai-agent', model: 'gpt-x' } },
    });
    const { taskRuns } = await suite.check([], nowhere);
    expect(taskRuns).toMatchObject([
      { outcome: 'error', failure: { category: 'agent-failed', message } },
    ]);
  });

  it("is asked three times an attempt, and reported, if it is the judge's", async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { verify: [{ llmJudge: { contains: 'yes' } }] } } },
      config: { llmJudge: { ref: { type: 'builtin.openai-agent', model: 'gpt-x' } } },
    });
    const { taskRuns } = await suite.check([], nowhere);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: { category: 'judge-error', message: expect.stringContaining(message) },
      },
    ]);
  });
});
