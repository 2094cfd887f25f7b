import { once } from 'node:events';
import { withTimeout } from '../../base/timeouts.js';
import type { AgentResult, AgentTask } from '../agent.js';
import { agentEnvironment } from '../program/agent-environment.js';
import { AgentLog } from '../program/agent-log.js';
import { JsonRpcProgram } from '../program/json-rpc-program.js';
import { converse } from './converse.js';
import { usageOf } from './reported-usage.js';
import type { AmbiguousTools } from './tool-recognition.js';
import { Turn } from './turn.js';
import { failureOfStop, TurnFailure } from './turn-failure.js';

export interface AcpProgram {
  /** For messages. */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  ambiguousTools?: AmbiguousTools | undefined;
}

/** In milliseconds. */
interface Limits {
  /** For each answer that is needed before the agent can be given its task. */
  startup: number;
  /** For the agent to end its turn once it is told to. */
  cancel: number;
}

const usualLimits: Limits = { startup: 60_000, cancel: 2000 };

/** In characters. */
const maxMessageLength = 32 * 1024 * 1024;
/** How long it may take to leave, in milliseconds. */
const grace = { endOfInput: 500, terminate: 5000 };

type TurnEnd = Pick<AgentResult, 'end' | 'usage'> & { failure?: TurnFailure };

/** Starts the program, gives it the task, and ends it whatever happens. */
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
    environment: agentEnvironment(task, env),
    handlers: turn,
    onLog: (chunk) => log.push(chunk),
    maxMessageLength,
  });
  const turnEnd = await endOf(program, turn, task, limits).finally(() => program.stop(grace));
  turn.transcript.end();
  return resultOf(name, turn, turnEnd, log.end());
}

/** How the turn ended. If the task is called off, the agent may end its turn in good order. */
async function endOf(
  program: JsonRpcProgram,
  turn: Turn,
  task: AgentTask,
  { startup, cancel }: Limits,
): Promise<TurnEnd> {
  const ending = converse(program, turn, task, startup).then(endOfAnswer, endOfFailure);
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

function endOfAnswer(answer: Record<string, unknown>): TurnEnd {
  const failure = failureOfStop(answer.stopReason);
  const usage = usageOf(answer);
  return {
    end: failure ? 'failed' : 'finished',
    ...(failure && { failure }),
    ...(usage && { usage }),
  };
}

function endOfFailure(failure: unknown): TurnEnd {
  if (!(failure instanceof TurnFailure)) throw failure;
  return { end: 'failed', failure };
}

function resultOf(
  name: string,
  { transcript, cost, denials }: Turn,
  { failure, ...turnEnd }: TurnEnd,
  log: string,
): AgentResult {
  return {
    ...turnEnd,
    ...(failure && { failure: failure.about(name, log) }),
    output: transcript.output,
    ...(cost !== undefined && { cost }),
    ...(denials.length > 0 && { permissionDenials: denials }),
  };
}
