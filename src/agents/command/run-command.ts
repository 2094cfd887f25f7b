import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promptVariable } from '../../config/command-template/prompt-quoting/prompt.js';
import type { AgentStep } from '../../journal/step-events.js';
import { type AgentResult, type AgentTask, NotStartedError } from '../agent.js';
import { writeMcpConfig, writePrivateFile } from '../program/agent-files.js';
import {
  type AgentProcessEnd,
  buildAgentEnvironment,
  chooseShell,
  describeProcessFailure,
  runAgentProcess,
} from '../program/agent-process.js';
import { AgentLog, OutputTail } from '../program/program-output.js';
import { type Commands, renderCommandLine } from './command-line.js';

export type RunnableCommands = Commands & { runPrompt: string };

/** How a command ended, and the end of its log. */
export interface CommandEnd {
  end: AgentProcessEnd;
  log: string;
}

/** Gives a task to a command line. Throws NotStartedError. */
export async function runCommand(
  commands: RunnableCommands,
  task: AgentTask,
  onOutput: (chunk: Buffer) => void,
): Promise<CommandEnd> {
  const { prompt, servers, privateFolder } = task;
  const configFile = await writeMcpConfig(privateFolder, servers, commands.mcpTransport);
  const line = renderCommandLine(commands, { prompt, servers, configFile });
  const promptVariables = deliverPrompt(prompt, privateFolder, line.carriesPrompt);
  requireFittingLength(line.text);
  const environment = { ...(await prepareEnvironment(task, commands)), ...promptVariables };
  const log = new AgentLog(task.report);
  const end = await runAgentProcess({
    command: chooseShell(environment),
    args: ['-c', line.text],
    cwd: task.workdir,
    environment,
    signal: task.signal,
    onOutput,
    onLog: (chunk) => log.push(chunk),
  });
  return { end, log: log.end() };
}

interface EnvironmentSettings {
  env?: Readonly<Record<string, string>> | undefined;
  useVirtualHome?: boolean | undefined;
}

/** Builds the environment of the agent's program: what it inherits, with the Agent file's `env` on top. */
export async function prepareEnvironment(
  task: AgentTask,
  { env = {}, useVirtualHome }: EnvironmentSettings,
): Promise<NodeJS.ProcessEnv> {
  if (!useVirtualHome) return buildAgentEnvironment(task, env);
  const home = path.join(task.privateFolder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  return buildAgentEnvironment(task, { HOME: home, ...env });
}

/** Longest single argument of a program on Linux. */
const maxCommandBytes = 128 * 1024 - 1;

/** Throws NotStartedError for a command line that the system would not accept. */
function requireFittingLength(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes <= maxCommandBytes) return;
  throw new NotStartedError(
    `the command line would be ${bytes} bytes long, and the system takes ${maxCommandBytes}`,
    'Let the command read the prompt from the file that PROCTOR_PROMPT_FILE names, or allow fewer tools.',
  );
}

/** Longest value of an environment variable on Linux, less some room for its name. */
const maxPromptBytes = 120 * 1024;

/** Writes the prompt to its file and returns the variables through which a command finds it. */
function deliverPrompt(
  prompt: string,
  folder: string,
  carriedByCommand: boolean,
): NodeJS.ProcessEnv {
  const obstacle = findObstacle(prompt);
  if (obstacle !== undefined && carriedByCommand) {
    throw new NotStartedError(
      `${obstacle}, so a command line cannot carry it: let the command read the file that PROCTOR_PROMPT_FILE names`,
    );
  }
  return {
    [promptVariable]: obstacle === undefined ? prompt : undefined,
    PROCTOR_PROMPT_FILE: writePrivateFile(folder, 'prompt.txt', prompt),
  };
}

function findObstacle(prompt: string): string | undefined {
  if (prompt.includes('\0')) return 'the prompt has a NUL character in it';
  const bytes = Buffer.byteLength(prompt);
  return bytes > maxPromptBytes
    ? `the prompt is ${bytes} bytes long (at most ${maxPromptBytes})`
    : undefined;
}

const maxAnswerBytes = 1024 * 1024;

/** Collects the answer of a command: what it writes to stdout. */
export class TextAnswer {
  readonly #tail = new OutputTail(maxAnswerBytes);

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
  }

  result(name: string, { end, log }: CommandEnd, report: (step: AgentStep) => void): AgentResult {
    const output = this.#tail.markedText();
    if (this.#tail.isCut) {
      const note = `The answer was longer than ${maxAnswerBytes} bytes: its beginning is left out.`;
      report({ kind: 'log', text: note });
    }
    if (end === undefined) return { end: 'stopped', output };
    const failure = describeProcessFailure(name, end, log);
    return failure ? { end: 'failed', failure, output } : { end: 'finished', output };
  }
}
