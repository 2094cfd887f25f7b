import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ModelServer } from '../test/support/model-server/model-server.js';
import { benchNode } from './process-time.js';

/** Agents that ask a model as fast as they may. */
interface AskingSuite {
  agents: number;
  /** Of each agent. */
  requests: number;
  /** Of all of them together. */
  perMinute: number;
}

/** Of each request but the last the model makes a tool call, so that there is a next one. */
export function startAskedModel({ requests }: AskingSuite): Promise<ModelServer> {
  return ModelServer.start(({ round }) =>
    round < requests - 1 ? { toolCalls: [{ tool: 'note' }] } : { text: 'Done.' },
  );
}

/** What agents need to find the model. */
export function askingEnvironment(model: ModelServer): Record<string, string> {
  return { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${model.url}/v1` };
}

export async function writeAskingSuite(folder: string, suite: AskingSuite): Promise<void> {
  const { agents, requests, perMinute } = suite;
  const server = path.resolve(import.meta.dirname, '../test/fixtures/servers/plain-server.mjs');
  const files = {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'bench' },
      config: {
        agent: { type: 'builtin.llm-agent', model: 'openai:bench' },
        mcpConfigFile: 'mcp.json',
        limits: { rates: [{ requestsPerMinute: perMinute }] },
        taskSets: [{ path: 'task.yaml', assertions: { minToolCalls: requests - 1 } }],
      },
    },
    'mcp.json': {
      mcpServers: {
        plain: { command: benchNode, args: [server, '--stdio'], enableAllTools: true },
      },
    },
    'task.yaml': {
      kind: 'Task',
      metadata: { name: 'ask', parallel: true, runs: agents },
      spec: { prompt: { inline: 'Take notes.' } },
    },
  };
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}

/** Requests in a minute, from the first that arrived to the last. */
export function averageRate({ requests }: ModelServer): number {
  const times = requests.map(({ arrivedAt }) => arrivedAt);
  const minutes = (Math.max(...times) - Math.min(...times)) / 60_000;
  return (times.length - 1) / minutes;
}

/** Requests in the minute with the most of them. */
export function busiestMinute({ requests }: ModelServer): number {
  const times = requests.map(({ arrivedAt }) => arrivedAt).sort((left, right) => left - right);
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[first] ?? time) >= 60_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
