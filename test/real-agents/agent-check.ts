import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { everythingProgram, serverProgram, startEverything } from '../support/mcp-servers.js';
import type { ModelServer } from '../support/model-server/model-server.js';
import { type ProcessResult, runProctor, testNode } from '../support/proctor-process.js';
import { agentEnvironment } from './agent-environment.js';
import { processesThatKnow } from './processes-that-know.js';
import type { RealAgent } from './real-agents.js';

const suite = path.join(import.meta.dirname, 'suite');

export interface AgentCheck extends ProcessResult {
  /** None: there are no results. */
  taskRun: TaskRunResult | undefined;
  agentVersion: string | undefined;
  /** What still ran when `proctor` had ended. */
  processesLeft: string[];
}

interface AgentCheckOptions {
  agent: RealAgent;
  model: Pick<ModelServer, 'url'>;
  /** In suite/. */
  evalFile: string;
  /** Of the server `remote`; none: server-everything. */
  remoteUrl?: string;
  /** Comes before the folder with the agent's program on its PATH. */
  path?: string;
  /** Of the test, which it has to give if others run at once. */
  onTestFinished?: TestContext['onTestFinished'];
  /** More variables. */
  environment?: Record<string, string>;
}

/** Runs `proctor check` with a real agent, which finds nothing of this machine's settings. */
export async function checkWithAgent(options: AgentCheckOptions): Promise<AgentCheck> {
  const { agent, model, evalFile, onTestFinished = onLoneTestFinished } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const out = path.join(folder, 'results.json');
  const agentFile = path.resolve(suite, 'agents', agent.file);
  const commandLine = [path.join(suite, evalFile), '--agent', agentFile, '--out', out];
  const environment = await agentEnvironment(folder, agent, model);
  const ended = await runProctor(['check', ...commandLine], {
    cwd: folder,
    env: {
      ...environment,
      ...options.environment,
      PATH: [options.path, environment.PATH].filter(Boolean).join(path.delimiter),
      NODE: testNode,
      EVERYTHING: everythingProgram,
      HOSTILE_SERVER: serverProgram('hostile-stdio-server.mjs'),
      TELLING_SERVER: serverProgram('telling-stdio-server.mjs'),
      EVERYTHING_URL: options.remoteUrl ?? (await everythingUrl(onTestFinished)),
    },
  });
  const processesLeft = await processesThatKnow(folder);
  const results = JSON.parse(await readFile(out, 'utf8').catch(() => '{}'));
  return {
    ...ended,
    taskRun: results.taskRuns?.[0],
    agentVersion: results.agent?.version,
    processesLeft,
  };
}

async function everythingUrl(onTestFinished: TestContext['onTestFinished']): Promise<string> {
  const { url, stop } = await startEverything('streamableHttp');
  onTestFinished(stop);
  return url;
}
