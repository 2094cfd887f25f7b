import { once } from 'node:events';
import path from 'node:path';
import { findProgram } from '../../base/processes/find-program.js';
import { withTimeout } from '../../base/timeouts.js';
import {
  type Agent,
  type AgentDefinition,
  type AgentProblem,
  type AgentResult,
  type AgentTask,
  reportNotStarted,
} from '../agent.js';
import { buildAgentEnvironment, formatInstallHint } from '../program/agent-process.js';
import { JsonRpcProgram } from '../program/json-rpc-program.js';
import { AgentLog } from '../program/program-output.js';
import type { AmbiguousTools } from './permission.js';
import { readReportedUsage } from './reported-usage.js';
import { converse, Turn } from './turn.js';
import { readStopError, TurnError } from './turn-error.js';

/** An agent that speaks the Agent Client Protocol on its input and output. */
export function createAcpAgent({ name, data }: AgentDefinition): Agent {
  const { acp, metadata } = data;
  if (acp === undefined) throw new Error(`${name} has no program`);
  const { cmd, args = [], env = {}, ambiguousTools } = acp;
  const version = metadata?.version;
  return {
    identity: { name, type: 'acp', ...(version !== undefined && { version }) },
    async prepare({ environment }) {
      const found = await findProgram(cmd, { ...environment, ...env });
      return { problems: found === undefined ? [describeMissingProgram(cmd)] : [] };
    },
    // The program runs in the task run's folder, where a relative path would mean something else.
    run: (task) =>
      reportNotStarted(() =>
        runTurn({ name, command: resolveCommand(cmd), args, env, ambiguousTools }, task),
      ),
  };
}

function resolveCommand(cmd: string): string {
  return cmd.includes(path.sep) ? path.resolve(cmd) : cmd;
}

function describeMissingProgram(cmd: string): AgentProblem {
  return cmd.includes(path.sep)
    ? {
        message: `the agent's program ${cmd} is not a file that can be executed`,
        hint: 'check acp.cmd: a path counts from the folder of the Agent file',
      }
    : {
        message: `the agent's program ${cmd} was not found on PATH`,
        hint: formatInstallHint(cmd),
      };
}

interface AcpProgram {
  /** Name of the agent, for messages. */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  ambiguousTools?: AmbiguousTools | undefined;
}

/** Timeouts of a turn, in milliseconds. */
interface TurnLimits {
  /** Limit for each answer that is needed before the agent can get its task. */
  startup: number;
  /** Limit for the agent to end its turn after session/cancel. */
  cancel: number;
}

const usualLimits: TurnLimits = { startup: 60_000, cancel: 2000 };

/** Longest JSON-RPC message, in characters. */
const maxMessageLength = 32 * 1024 * 1024;
/** How long the program may take to exit, in milliseconds. */
const grace = { endOfInput: 500, terminate: 5000 };

type TurnEnd = Pick<AgentResult, 'end' | 'usage'> & { failure?: TurnError };

/** Starts the program, gives it the task, and stops it whatever happens. */
export async function runTurn(
  { name, command, args, env, ambiguousTools = 'deny' }: AcpProgram,
  task: AgentTask,
  limits = usualLimits,
): Promise<AgentResult> {
  if (task.signal.aborted) return { end: 'stopped', output: '' };
  const log = new AgentLog(task.report);
  const turn = new Turn(task, ambiguousTools, (line) => log.push(Buffer.from(`${line}\n`)));
  const program = new JsonRpcProgram({
    command,
    args,
    cwd: task.workdir,
    environment: buildAgentEnvironment(task, env),
    handlers: turn,
    onLog: (chunk) => log.push(chunk),
    maxMessageLength,
  });
  const turnEnd = await runToEnd(program, turn, task, limits).finally(() => program.stop(grace));
  turn.transcript.end();
  return createResult(name, turn, turnEnd, log.end());
}

/** Waits for the turn to end. If the task is aborted, the agent is asked to cancel first. */
async function runToEnd(
  program: JsonRpcProgram,
  turn: Turn,
  task: AgentTask,
  { startup, cancel }: TurnLimits,
): Promise<TurnEnd> {
  const ending = converse(program, turn, task, startup).then(readTurnEnd, readTurnFailure);
  const over = new AbortController();
  const aborted = once(task.signal, 'abort', { signal: over.signal }).then(
    () => undefined,
    () => undefined,
  );
  const end = await Promise.race([ending, aborted]);
  over.abort();
  if (end) return end;
  if (turn.session !== undefined) {
    program.notify('session/cancel', { sessionId: turn.session });
    await withTimeout(cancel, ending);
  }
  return { end: 'stopped' };
}

function readTurnEnd(answer: Record<string, unknown>): TurnEnd {
  const failure = readStopError(answer.stopReason);
  const usage = readReportedUsage(answer);
  return {
    end: failure ? 'failed' : 'finished',
    ...(failure && { failure }),
    ...(usage && { usage }),
  };
}

function readTurnFailure(failure: unknown): TurnEnd {
  if (!(failure instanceof TurnError)) throw failure;
  return { end: 'failed', failure };
}

function createResult(
  name: string,
  { transcript, cost, denials }: Turn,
  { failure, ...turnEnd }: TurnEnd,
  log: string,
): AgentResult {
  return {
    ...turnEnd,
    ...(failure && { failure: failure.describe(name, log) }),
    output: transcript.output,
    ...(cost !== undefined && { cost }),
    ...(denials.length > 0 && { permissionDenials: denials }),
  };
}
