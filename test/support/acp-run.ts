import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { runTurn } from '../../src/agents/acp/acp-agent.js';
import type { AgentResult, AgentServer, AgentTask } from '../../src/agents/agent.js';
import type { AgentStep } from '../../src/journal/step-events.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { fixtures } from './cli.js';

interface AcpRunOptions {
  prompt?: string;
  env?: Record<string, string>;
  servers?: readonly AgentServer[];
  signal?: AbortSignal;
  /** Sees each step as it comes. */
  onStep?(step: AgentStep): void;
  /** How long the agent may take for its first answers. */
  startup?: number;
}

export interface AcpRun {
  result: AgentResult;
  steps: AgentStep[];
  workdir: string;
}

/** Gives a task to a program of test/fixtures/agents, with nothing of the machine's own settings. */
export async function runAcpAgent(
  [program = '', ...args]: string[],
  options: AcpRunOptions = {},
): Promise<AcpRun> {
  const workdir = await mkdtemp(path.join(tmpdir(), 'proctor-acp-'));
  onLoneTestFinished(() => rm(workdir, { recursive: true, force: true }));
  const steps: AgentStep[] = [];
  const task: AgentTask = {
    prompt: options.prompt ?? 'Look around.',
    servers: options.servers ?? [],
    workdir,
    privateFolder: workdir,
    environment: { PATH: process.env.PATH, HOME: inject('homeFolder'), TMPDIR: workdir },
    signal: options.signal ?? new AbortController().signal,
    report(step) {
      steps.push(step);
      options.onStep?.(step);
    },
  };
  const command = process.execPath;
  const file = path.join(fixtures, 'agents', program);
  const agent = { name: 'fixture', command, args: [file, ...args], env: options.env ?? {} };
  const limits = { startup: options.startup ?? 60_000, cancel: 2000 };
  const result = await runTurn(agent, task, limits);
  return { result, steps, workdir };
}
