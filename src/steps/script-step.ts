import { once } from 'node:events';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { findProgram, isBourneShell } from '../base/processes/find-program.js';
import { describeEnd, type ProcessEnd, ProcessGroup } from '../base/processes/process-group.js';
import { withTimeout } from '../base/timeouts.js';
import { findScriptFlaw } from '../config/files/task-steps.js';
import type { StepValue } from '../config/schemas/step-schemas.js';
import { Redactor } from '../config/secrets/redactor.js';
import { addScript } from '../config/secrets/secret-values.js';
import { Secrets } from '../config/secrets/secrets.js';
import type { StepAccount } from '../journal/step-events.js';
import { BoundedOutput, collectOutputs } from './bounded-output.js';
import type { StepContext, StepResult } from './step.js';

/** The value of `script`, and of the steps in the older task format. */
type ScriptData = StepValue<'script'>;

/** How long output may take to arrive when the script has ended but others hold it open, in milliseconds. */
const drainTime = 200;
const grace = { endOfInput: 0, terminate: 2_000 };

/** Runs a script; exit code 0 passes. Processes that it leaves running live until the task run is over. */
export async function runScriptStep(data: unknown, context: StepContext): Promise<StepResult> {
  const { path, folder } = prepareScript(data as ScriptData, context);
  const { program, args } = await prepareCommand(path, context);
  const account = { script: await recordScript(data as ScriptData, path, context) };
  const group = new ProcessGroup(program, args, {
    cwd: folder,
    env: { ...context.environment, ...resolveEnvironment(data as ScriptData, context) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.started(group);
  const spillPath = join(context.harnessFolder, `${context.phase}-${context.step}`);
  const stdout = new BoundedOutput(`${spillPath}-stdout`);
  const stderr = new BoundedOutput(`${spillPath}-stderr`);
  group.child.stdout?.on('data', (bytes: Buffer) => stdout.add(bytes));
  group.child.stderr?.on('data', (bytes: Buffer) => stderr.add(bytes));

  let stopping: Promise<unknown> | undefined;
  const stop = () => {
    stopping = group.stop(grace);
  };
  if (context.signal.aborted) stop();
  context.signal.addEventListener('abort', stop, { once: true });
  const end = await group.ended;
  context.signal.removeEventListener('abort', stop);
  await stopping;
  await waitForOutput(group);
  // The agent could find the script, and read what was prepared for it.
  if (context.phase === 'setup' && (data as ScriptData).file === undefined)
    await rm(path, { force: true });

  const { outputs, ...cut } = collectOutputs({ stdout, stderr });
  return {
    ...(stopping
      ? { outcome: 'stopped' }
      : decideScriptOutcome(end, outputs, {
          script: path,
          text: account.script.text,
          workdir: context.workdir,
        })),
    outputs: { ...outputs, exitCode: String(end.code ?? '') },
    ...cut,
    account,
  };
}

/** How much of a script file is recorded, in bytes: enough to see what it does. */
const maxRecordedBytes = 4 * 1024;

/** Records the script for the results. Of a program only the name is recorded. */
async function recordScript(
  { inline, file }: ScriptData,
  path: string,
  { task }: StepContext,
): Promise<NonNullable<StepAccount['script']>> {
  if (file === undefined) return { text: inline ?? '' };
  const name = relative(task.folder, path);
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(maxRecordedBytes),
        0,
        maxRecordedBytes,
        0,
      );
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) return { file: name, text: '' };
      const text = redactScript(bytes.toString('utf8').replace(/\uFFFD$/, ''));
      // Cut at a line end, unless it is a single line.
      const isCut = bytesRead === maxRecordedBytes;
      return { file: name, text: isCut ? `${text.replace(/(?<=\n)[^\n]*$/, '')}…` : text };
    } finally {
      await handle.close();
    }
  } catch {
    // Starting it reports why it cannot be read.
    return { file: name, text: '' };
  }
}

/** Redacts secrets in the text of a script file; those of inline scripts are known before anything runs. */
function redactScript(text: string): string {
  const secrets = new Secrets();
  addScript(secrets, text);
  return new Redactor(secrets).text(text);
}

/** Checks the script again: it may be gone by now, or its name may come from a placeholder. */
async function prepareCommand(
  path: string,
  { environment, task }: StepContext,
): Promise<ScriptCommand> {
  const name = relative(task.folder, path);
  const flaw = findScriptFlaw(path);
  if (flaw?.code === 'file-not-found') {
    throw new Error(`the script ${name} cannot be read: there is no such file`);
  }
  if (flaw) throw new Error(`the script ${name} ${flaw.reason}`);
  return findScriptCommand(path, environment, task.usesLoginShell === true);
}

/** Finds or writes the script. A file runs in its own folder, an inline script in the task's. */
function prepareScript(
  { inline, file }: ScriptData,
  context: StepContext,
): { path: string; folder: string } {
  if (file !== undefined) {
    const path = resolve(context.task.folder, context.resolve(file));
    return { path, folder: dirname(path) };
  }
  const path = join(context.harnessFolder, `${context.phase}-${context.step}`);
  writeFileSync(path, inline ?? '', { mode: 0o700 });
  return { path, folder: context.task.folder };
}

function resolveEnvironment({ env = {} }: ScriptData, context: StepContext): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, requireNoNul(name, context.resolve(value))]),
  );
}

/** Refuses NUL characters. Node's own error would quote the value, cut in the middle of what may be a secret. */
function requireNoNul(name: string, value: string): string {
  if (!value.includes('\0')) return value;
  throw new Error(`the variable ${name} cannot hold the NUL character that is in its value`);
}

/** Waits for the end of the output, but not long: a background process may hold it open for ever. */
async function waitForOutput({ child }: ProcessGroup): Promise<void> {
  const closed = [child.stdout, child.stderr].map(async (stream) => {
    if (stream && !stream.closed) await once(stream, 'close');
  });
  await withTimeout(drainTime, Promise.all(closed));
}

/** The command that starts a script. */
interface ScriptCommand {
  program: string;
  args: string[];
}

/**
 * Finds the command as the system would for an executable: the interpreter of its first line. Without
 * one, a text is for bash, or sh where there is none, and a program is a program. Tasks in the formats of
 * gevals and mcpchecker were written for the login shell, so they get it.
 */
async function findScriptCommand(
  path: string,
  environment: NodeJS.ProcessEnv,
  usesLoginShell: boolean,
): Promise<ScriptCommand> {
  const head = readFirstBytes(path);
  const line = /^#!([^\n\r]*)/.exec(head.toString('utf8'))?.[1]?.trim();
  if (line) {
    // As in the kernel, everything behind the interpreter is one argument.
    const [, interpreter = line, argument = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    return { program: interpreter, args: [...(argument === '' ? [] : [argument]), path] };
  }
  if (head.includes(0)) return { program: path, args: [] };
  const { SHELL } = environment;
  const program =
    usesLoginShell && SHELL ? requireBourneShell(SHELL) : await findShell(environment);
  return { program, args: [path] };
}

/** Refuses other shells: one that runs nothing, or something else, would look like a script that failed or passed. */
function requireBourneShell(shell: string): string {
  if (isBourneShell(shell)) return shell;
  throw new Error(
    `the shell ${JSON.stringify(shell)} (SHELL) cannot run the script: tasks of this apiVersion run in $SHELL; set SHELL to bash or sh`,
  );
}

/** Values of PATH with a bash, cached as a search looks through all folders. */
const pathsWithBash = new Set<string | undefined>();

async function findShell(environment: NodeJS.ProcessEnv): Promise<string> {
  const { PATH } = environment;
  if (!pathsWithBash.has(PATH) && (await findProgram('bash', environment)) === undefined)
    return 'sh';
  pathsWithBash.add(PATH);
  return 'bash';
}

function readFirstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(512);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Length of the end of a log that is searched, in characters: shells report missing programs there. */
const inspectedLength = 2000;

/** The path of a script, its text as far as it is known, and the agent's working directory. */
interface Places {
  script: string;
  text: string;
  workdir: string;
}

/**
 * Decides the outcome of a script. One that could not do its work says nothing about the agent: by exit codes 126 and 127, a
 * program was not found or could not be executed. Another exit code can hide that (`jq . | grep x`). If the
 * agent should have written that program, it did not. In all other cases the script has decided: it may have
 * another way to find out.
 */
function decideScriptOutcome(
  end: ProcessEnd,
  outputs: Readonly<Record<string, string>>,
  places: Places,
): Pick<StepResult, 'outcome' | 'message' | 'warning'> {
  if (end.error?.code === 'E2BIG') return { outcome: 'error', message: tooLong };
  // Many scripts send their log to stdout.
  const log = [outputs.stdout, outputs.stderr]
    .map((text = '') => text.slice(-inspectedLength))
    .join('\n');
  const how = `the script ${describeEnd(end)}`;
  if (end.error) return { outcome: 'error', message: how };
  if (end.code === 126 || end.code === 127) {
    // The last message counts: what was missing before has not ended the script.
    const found = findUnstarted(log, [...notFound, ...notExecuted]).at(-1);
    const message = `${how}: ${found ? formatUnstarted(found) : meanings[end.code]}`;
    return { outcome: found && isOfAgent(found, places) ? 'failed' : 'error', message };
  }
  const missing = findUnstarted(log, notFound).filter(({ by }) => by === places.script);
  const [first] = missing;
  if (end.code === 0) {
    const warning = first && { code: 'program-missing' as const, message: formatUnstarted(first) };
    return { outcome: 'passed', ...(warning && { warning }) };
  }
  if (!first) return { outcome: 'failed', message: how };
  const cause = missing.find(
    (program) => isOutputRead(program, places.text) && !isOfAgent(program, places),
  );
  const outcome = cause ? 'error' : 'failed';
  return { outcome, message: `${how} (${formatUnstarted(cause ?? first)})` };
}

/**
 * Whether a script reads what a program should have written: `jq . | grep x`, `test "$(jq .)" = 1`, or
 * `jq . > counts; grep x counts`. A line that handles failure (`||`, `if`, `!`) decides by itself.
 */
function isOutputRead({ program, line: number }: UnstartedProgram, script: string): boolean {
  const lines = script.split('\n');
  const line = lines[number - 1] ?? '';
  if (/\|\||(?:^|[;&|({]\s*|\bthen |\bdo |\belse )\s*(?:if|elif|while|until|!)\s/.test(line))
    return false;
  const name = program.replace(/[^\w-]/g, '\\$&');
  const piped = new RegExp(`(?:\\$\\(|\`)\\s*${name}\\b|(?<![\\w/-])${name}\\b[^;&|]*\\|`);
  if (piped.test(line)) return true;
  const redirected = new RegExp(
    `(?<![\\w/-])${name}\\b[^;&|]*?(?<![\\d&])1?>{1,2}\\s*(?<file>[^\\s;&|>]+)`,
  );
  const { index = 0, 0: match = '', groups } = redirected.exec(line) ?? {};
  if (groups?.file === undefined || groups.file.startsWith('/dev/')) return false;
  const rest = [line.slice(index + match.length), ...lines.slice(number)].join('\n');
  return rest.includes(groups.file.replace(/^["']|["']$/g, ''));
}

/** Whether the program, or the script that calls it, is the agent's work. */
function isOfAgent({ program, by }: UnstartedProgram, places: Places): boolean {
  if (program.includes('/') && isInWorkdir(program, places)) return true;
  const isFile = by !== undefined && by !== places.script && !/^(?:.*\/)?(?:ba|da|z)?sh$/.test(by);
  return isFile && isInWorkdir(by, places);
}

/** Whether a path lies in the working directory; a relative one does if the script changes to it. */
function isInWorkdir(path: string, { workdir, text }: Places): boolean {
  if (isAbsolute(path)) return !relative(workdir, path).startsWith('..');
  return text.includes('PROCTOR_WORKDIR');
}

const meanings = {
  126: 'a program that it calls cannot be executed',
  127: 'a program that it calls was not found',
};

/** Messages of bash, dash and zsh about a missing program. */
const notFound = [
  /^(?<by>.*?): (?:line )?(?<line>\d+): (?:exec: )?(?<program>[^:\n]+): (?:command )?not found$/gm,
  /^(?<by>.*?):(?<line>\d+): command not found: (?<program>.+)$/gm,
];

/** Messages about a program that cannot be executed; only with 126 and 127 they are certainly the shell's. */
const notExecuted = [
  /^.*: (?<program>[^:\n]+): (?<reason>Permission denied|Is a directory|cannot execute.*|Exec format error)$/gm,
  /^.*: (?<program>[^:\n]+): (?:[^:\n]+: )?(?<reason>bad interpreter.*)$/gm,
  /^(?:.*\/)?env: [‘'"]?(?<program>[^’'"\n]+)[’'"]?: No such file or directory$/gm,
  /^.*: (?:line )?\d+: (?<program>[^:\n]+): No such file or directory$/gm,
  /^\w+: (?<program>[^:\n]*\/[^:\n]+): No such file or directory$/gm,
  /^(?:nice|nohup|stdbuf|timeout|time|xargs): (?:failed to run command )?[‘'"]?(?<program>[^:’'"\n]+)[’'"]?: No such file or directory$/gm,
];

interface UnstartedProgram {
  program: string;
  reason: string;
  /** The script that called it, as its shell names it. */
  by?: string;
  /** Line in that script; 0 if it is not known. */
  line: number;
}

/** Finds the programs that could not be started, in the order of the messages about them. */
function findUnstarted(log: string, messages: readonly RegExp[]): UnstartedProgram[] {
  return messages
    .flatMap((message) => [...log.matchAll(message)])
    .sort((a, b) => a.index - b.index)
    .flatMap(({ groups }) => {
      const { program, reason = 'command not found', by, line = '0' } = groups ?? {};
      if (program === undefined) return [];
      return [{ program, reason, line: Number(line), ...(by !== undefined && { by }) }];
    });
}

function formatUnstarted({ program, reason }: UnstartedProgram): string {
  return `could not start ${JSON.stringify(program)}: ${reason}`;
}

const tooLong =
  'the script could not be started: its variables are longer than the system takes; long texts have to come in a file, such as PROCTOR_AGENT_OUTPUT';
