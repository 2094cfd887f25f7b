import type { Readable } from 'node:stream';
import { isBourneShell } from '../../base/processes/find-program.js';
import { describeEnd, type ProcessEnd, ProcessGroup } from '../../base/processes/process-group.js';
import { withTimeout } from '../../base/timeouts.js';
import type { AgentFailure } from '../agent.js';
import { OutputTail } from './program-output.js';

interface AgentProcess {
  command: string;
  args: readonly string[];
  cwd?: string;
  environment: NodeJS.ProcessEnv;
  /** Text for stdin; undefined leaves it empty. */
  input?: string;
  signal: AbortSignal;
  /** Called with what it writes to stdout, as it arrives. */
  onOutput(chunk: Buffer): void;
  onLog(chunk: Buffer): void;
}

/** How a process ended; undefined if the signal stopped it, or kept it from starting. */
export type AgentProcessEnd = ProcessEnd | undefined;

/** How long the processes of the group may take to exit, in milliseconds. */
const grace = { endOfInput: 0, terminate: 5_000 };

/** How long processes that were left running may keep the output open, in milliseconds. */
const drainTime = 1_000;

/** Runs a program to its end and leaves nothing of it behind. */
export async function runAgentProcess(options: AgentProcess): Promise<AgentProcessEnd> {
  const { command, args, cwd, environment, input, signal } = options;
  if (signal.aborted) return undefined;
  const group = new ProcessGroup(command, args, {
    cwd,
    env: environment,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = group.child;
  // The program may end before it has read everything.
  stdin?.on('error', () => {});
  stdin?.end(input);
  const closed = Promise.all([
    readToEnd(stdout, options.onOutput),
    readToEnd(stderr, options.onLog),
  ]);
  let onAbort = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
  });
  signal.addEventListener('abort', onAbort);
  const end = await Promise.race([group.ended, aborted]);
  if (end === undefined) {
    await group.stop(grace);
  } else if (end.error === undefined) {
    await withTimeout(drainTime, Promise.race([closed, aborted]));
  }
  group.kill();
  // A process that left the group may hold the output open for ever.
  await withTimeout(drainTime, Promise.all([group.ended, closed]));
  stdout?.destroy();
  stderr?.destroy();
  signal.removeEventListener('abort', onAbort);
  return end;
}

async function readToEnd(stream: Readable | null, take: (chunk: Buffer) => void): Promise<void> {
  // A process that could not be started has no streams.
  if (!stream) return;
  await new Promise<void>((resolve) => {
    stream.on('data', take);
    stream.on('error', () => resolve());
    stream.on('close', () => resolve());
  });
}

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

interface ProgramAnswer {
  end: AgentProcessEnd;
  text: string;
  log: string;
}

const timeLimit = 10_000;
const maxAnswerBytes = 16 * 1024;

/** Runs a program for its short output, such as a version. */
export async function askProgram(
  command: string,
  args: readonly string[],
  { environment, signal }: Context,
): Promise<ProgramAnswer> {
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

export function askShell(command: string, context: Context): Promise<ProgramAnswer> {
  return askProgram(chooseShell(context.environment), ['-c', command], context);
}

/**
 * Chooses `$SHELL`, or bash. Also bash where `$SHELL` is fish or the like: its quoting rules differ,
 * and the same command line could execute what is meant to be data.
 */
export function chooseShell({ SHELL }: NodeJS.ProcessEnv): string {
  return SHELL !== undefined && isBourneShell(SHELL) ? SHELL : 'bash';
}

/** Describes why a program that ended has failed, with the end of its log; undefined if it has not. */
export function describeProcessFailure(
  name: string,
  end: ProcessEnd,
  log: string,
): AgentFailure | undefined {
  if (end.code === 0) return undefined;
  const details = log === '' ? {} : { details: log };
  if (end.error) return { code: 'not-started', message: `${name} ${describeEnd(end)}`, ...details };
  return {
    code: 'failed',
    message: `${name} ${describeEnd(end)}${explainExitCode(end.code)}`,
    ...details,
  };
}

/** Explains the exit codes to which shells give a meaning. */
function explainExitCode(code: number | null): string {
  if (code === 126) return ': a program of its command line could not be executed';
  if (code === 127) return ': a program of its command line was not found';
  if (code !== null && code > 128 && code < 160) {
    return `: a program of its command line was probably ended by signal ${code - 128}`;
  }
  return '';
}

/**
 * Variables that say how Proctor was started, by its user, by CI, by npm or by a shell: an agent could
 * read from them that it is tested, and with what.
 */
const aboutOurStart = [
  /^PROCTOR_/i,
  /^npm_(?:lifecycle|package)_/i,
  /^npm_(?:command|config_(?:local_prefix|package|call))$/i,
  /^(?:INIT_CWD|PROJECT_CWD|PNPM_SCRIPT_SRC_DIR|OLDPWD|SUDO_COMMAND|_)$/i,
  /^GITHUB_ACTION(?:_PATH|_REPOSITORY)?$/i,
];

/** Builds the environment of an agent's program: what it inherits, and on top what its Agent file names. */
export function buildAgentEnvironment(
  { environment, workdir }: { environment: NodeJS.ProcessEnv; workdir: string },
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(
    ([name]) => !aboutOurStart.some((pattern) => pattern.test(name)),
  );
  return { ...Object.fromEntries(inherited), PWD: workdir, ...own };
}

/** Programs of well-known agents, and the npm packages that install them. */
const packages = new Map([
  ['claude', '@anthropic-ai/claude-code'],
  ['codex', '@openai/codex'],
  ['gemini', '@google/gemini-cli'],
  ['opencode', 'opencode-ai'],
  ['copilot', '@github/copilot'],
]);

/** Says how to install a missing program. */
export function formatInstallHint(program: string): string {
  const name = packages.get(program);
  return name === undefined ? 'install it, or add its folder to PATH' : `npm install -g ${name}`;
}
