import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentServer, AgentTask } from '../../src/agents/agent.js';
import type { AgentStep } from '../../src/journal/step-events.js';
import { onLoneTestFinished } from './test-end.js';

/** A task for an agent, with folders that are gone after the test, and the steps it reports. */
export function agentTask(changes: Partial<AgentTask> = {}): AgentTask & { steps: AgentStep[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-task-'));
  onLoneTestFinished(() => rmSync(folder, { recursive: true }));
  const [workdir, privateFolder] = [path.join(folder, 'work'), path.join(folder, 'private')];
  mkdirSync(workdir);
  mkdirSync(privateFolder, { mode: 0o700 });
  const steps: AgentStep[] = [];
  return {
    prompt: 'Say hello.',
    servers: [],
    workdir,
    privateFolder,
    environment: { PATH: process.env.PATH },
    signal: new AbortController().signal,
    report: (step) => steps.push(step),
    ...changes,
    steps,
  };
}

/** A server as an agent sees it; nobody is there. */
export function agentServer(name: string, ...allowedTools: string[]): AgentServer {
  return { name, url: `http://127.0.0.1:1234/token/${name}`, allowedTools };
}
