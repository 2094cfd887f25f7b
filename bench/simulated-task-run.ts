import { RawJson } from '../src/base/json-text.js';
import type { AttemptLog } from '../src/queue/worker/attempt-log.js';
import { agentFinished, assertion, call, ended, started } from '../testing/journals.js';

interface SimulatedTaskRun {
  taskRun: string;
  task: string;
  run: number;
  attempt: number;
  worker: string;
}

/** Tool calls of a task run, and characters of what each of them results in. */
const callsPerTaskRun = 8;
const resultLength = 1_000;

const args = new RawJson('{"namespace":"bench","name":"web"}');
const text = 'a "quoted" line\n'.repeat(Math.ceil(resultLength / 16));
const result = JSON.stringify({ content: [{ type: 'text', text }] });

/** Records that a task run begins, as a worker does that has an agent. */
export async function writeSimulatedStart(log: AttemptLog, about: SimulatedTaskRun): Promise<void> {
  const { taskRun, task, run, attempt, worker } = about;
  log.write(started({ taskRun, task, path: 'task.yaml', run, runs: run, attempt, worker }));
  await log.flush();
}

/** Records everything else of it. It still has to be ended. */
export function writeSimulatedRest(
  log: AttemptLog,
  { taskRun, task, run }: Pick<SimulatedTaskRun, 'taskRun' | 'task' | 'run'>,
): void {
  const [agentStarted, agentEnded] = agentFinished(taskRun);
  if (agentStarted) log.write(agentStarted);
  for (let number = 1; number <= callsPerTaskRun; number++) writeCall(log, taskRun, number);
  if (agentEnded) log.write(agentEnded);
  log.write(assertion({ taskRun }));
  const calls = { tool: callsPerTaskRun, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  log.write(ended({ taskRun, task, run, calls }));
}

/** As the agent reports it, as the proxy sees it, and as it is summed up. */
function writeCall(log: AttemptLog, taskRun: string, number: number): void {
  const id = String(number);
  const server = 'pets';
  const params = `{"name":"feed","arguments":${args.text}}`;
  const asked = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
  const answer = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  log.write({ type: 'agent-output', taskRun, kind: 'tool-call', tool: 'pets.feed', id, args });
  const request = log.write({ ...message(asked), taskRun, server, direction: 'to-server' });
  const response = log.write({ ...message(answer), taskRun, server, direction: 'to-agent' });
  log.write(call({ taskRun, call: number, args, result: new RawJson(result), request, response }));
  log.write({ type: 'agent-output', taskRun, kind: 'tool-result', id, isError: false, text });
}

function message(json: string) {
  return { type: 'mcp-message' as const, message: new RawJson(json), bytes: json.length };
}
