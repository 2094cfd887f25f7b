import path from 'node:path';
import { findProgram } from '../../base/processes/find-program.js';
import type { Agent, AgentDefinition, AgentProblem } from '../agent.js';
import { installHint } from '../program/install-hint.js';
import { orNotStarted } from '../program/not-started.js';
import { runTurn } from './run-turn.js';

/** An agent that speaks the Agent Client Protocol on its input and output. */
export function createAgent({ name, data }: AgentDefinition): Agent {
  const { acp, metadata } = data;
  if (acp === undefined) throw new Error(`${name} has no program`);
  const { cmd, args = [], env = {}, ambiguousTools } = acp;
  const version = metadata?.version;
  return {
    identity: { name, type: 'acp', ...(version !== undefined && { version }) },
    async prepare({ environment }) {
      const found = await findProgram(cmd, { ...environment, ...env });
      return { problems: found === undefined ? [missing(cmd)] : [] };
    },
    // It runs in a folder of its own, where a relative path would mean something else.
    run: (task) =>
      orNotStarted(() =>
        runTurn({ name, command: fromHere(cmd), args, env, ambiguousTools }, task),
      ),
  };
}

function fromHere(cmd: string): string {
  return cmd.includes(path.sep) ? path.resolve(cmd) : cmd;
}

function missing(cmd: string): AgentProblem {
  return cmd.includes(path.sep)
    ? {
        message: `the agent's program ${cmd} is not a file that can be executed`,
        hint: 'check acp.cmd: a path counts from the folder of the Agent file',
      }
    : {
        message: `the agent's program ${cmd} was not found on PATH`,
        hint: installHint(cmd),
      };
}
