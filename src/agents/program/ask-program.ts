import { type AgentProcessEnd, runAgentProcess } from './agent-process.js';
import { OutputTail } from './output-tail.js';
import { shellOf } from './shell.js';

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

interface Answer {
  end: AgentProcessEnd;
  text: string;
  log: string;
}

const timeLimit = 10_000;
const maxAnswerBytes = 16 * 1024;

/** Runs a program that only tells something. */
export async function askProgram(
  command: string,
  args: readonly string[],
  { environment, signal }: Context,
): Promise<Answer> {
  const answer = new OutputTail(maxAnswerBytes);
  const log = new OutputTail(maxAnswerBytes);
  const end = await runAgentProcess({
    command,
    args,
    environment,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
    onOutput: (chunk) => answer.push(chunk),
    onLog: (chunk) => log.push(chunk),
  });
  return { end, text: answer.text().trim(), log: log.text().trim() };
}

export function askShell(command: string, context: Context): Promise<Answer> {
  return askProgram(shellOf(context.environment), ['-c', command], context);
}
