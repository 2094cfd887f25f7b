import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { TaskRunResult } from '../../src/results/task-run-schema.js';
import { everythingProgram, serverProgram, startEverything } from '../support/mcp-servers.js';
import type { ModelServer } from '../support/model-server/model-server.js';
import { type ProcessResult, runProctor, testNode } from '../support/proctor-process.js';
import { binFolder } from './agent-programs.js';
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
  model: ModelServer;
  /** In suite/. */
  evalFile: string;
  /** Of the server `remote`; none: server-everything. */
  remoteUrl?: string;
}

/** Runs `proctor check` with a real agent, which finds nothing of this machine's settings. */
export async function checkWithAgent(options: AgentCheckOptions): Promise<AgentCheck> {
  const { agent, model, evalFile } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const out = path.join(folder, 'results.json');
  const agentFile = path.join(suite, 'agents', agent.file);
  const commandLine = [path.join(suite, evalFile), '--agent', agentFile, '--out', out];
  const ended = await runProctor(['check', ...commandLine], {
    cwd: folder,
    env: {
      ...(await foldersIn(folder)),
      ...modelEnvironment(model),
      PATH: `${binFolder(agent.program)}${path.delimiter}${process.env.PATH}`,
      NODE: testNode,
      EVERYTHING: everythingProgram,
      HOSTILE_SERVER: serverProgram('hostile-stdio-server.mjs'),
      EVERYTHING_URL: options.remoteUrl ?? (await everythingUrl()),
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

/** A home of its own for whatever the agent wants to keep. */
async function foldersIn(folder: string): Promise<Record<string, string>> {
  const home = path.join(folder, 'home');
  const folders = {
    HOME: home,
    TMPDIR: path.join(folder, 'tmp'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
  };
  for (const each of Object.values(folders)) await mkdir(each, { recursive: true });
  return folders;
}

/** How each program is told which model to ask. */
function modelEnvironment({ url }: ModelServer): Record<string, string> {
  const key = 'key-of-the-tests';
  return {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: path.join(suite, 'gemini-settings.json'),
    OPENCODE_CONFIG: path.join(suite, 'opencode.json'),
    MODEL_KEY: key,
    MODEL_URL: url,
  };
}

async function everythingUrl(): Promise<string> {
  const { url, stop } = await startEverything('streamableHttp');
  onTestFinished(stop);
  return url;
}
