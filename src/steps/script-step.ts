import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { describeEnd, type ProcessEnd, ProcessGroup } from '../base/processes/process-group.js';
import { withTimeout } from '../base/timeouts.js';
import { Redactor } from '../config/redactor.js';
import { flawOfScript } from '../config/script-file.js';
import { Secrets } from '../config/secrets.js';
import { addScript } from '../config/secrets-of-environment.js';
import type { StepAccount } from '../events/step-account.js';
import { BoundedOutput } from './bounded-output.js';
import { boundedOutputs } from './bounded-outputs.js';
import { type ScriptCommand, scriptCommand } from './script-command.js';
import type { StepContext, StepResult } from './step.js';

/** What stands under `script`, and in the steps of the older task format. */
interface ScriptData {
  inline?: string;
  file?: string;
  env?: Record<string, string>;
}

/** Milliseconds that output may take to arrive when the script is over but holds it open. */
const drainTime = 200;
const grace = { endOfInput: 0, terminate: 2_000 };

/** Runs a script; exit code 0 passes. What it leaves running lives until the task run is over. */
export async function runScript(data: unknown, context: StepContext): Promise<StepResult> {
  const { path, folder } = scriptFile(data as ScriptData, context);
  const { program, args } = await commandFor(path, context);
  const account = { script: await scriptOf(data as ScriptData, path, context) };
  const group = new ProcessGroup(program, args, {
    cwd: folder,
    env: { ...context.environment, ...resolvedEnvironment(data as ScriptData, context) },
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
  await outputArrived(group);
  // An agent that looks around would find what was prepared for it.
  if (context.phase === 'setup' && (data as ScriptData).file === undefined)
    await rm(path, { force: true });

  const { outputs, ...cut } = boundedOutputs({ stdout, stderr });
  // Many scripts send their log to their output.
  const log = [outputs.stdout, outputs.stderr].map((text = '') => text.slice(-lookedAt)).join('\n');
  return {
    ...(stopping
      ? { outcome: 'stopped' }
      : judged(end, log, {
          script: path,
          text: account.script.text,
          workdir: context.workdir,
        })),
    outputs: { ...outputs, exitCode: String(end.code ?? '') },
    ...cut,
    account,
  };
}

/** In bytes, of a script in a file: who reads results wants to know what it does, not all of it. */
const shownOfFile = 4 * 1024;

/** What is run, for whoever reads of it later. A program is named only. */
async function scriptOf(
  { inline, file }: ScriptData,
  path: string,
  { task }: StepContext,
): Promise<NonNullable<StepAccount['script']>> {
  if (file === undefined) return { text: inline ?? '' };
  const name = relative(task.folder, path);
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(shownOfFile), 0, shownOfFile, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) return { file: name, text: '' };
      const text = withoutSecrets(bytes.toString('utf8').replace(/\uFFFD$/, ''));
      // In whole lines, but for a single one.
      const isCut = bytesRead === shownOfFile;
      return { file: name, text: isCut ? `${text.replace(/(?<=\n)[^\n]*$/, '')}…` : text };
    } finally {
      await handle.close();
    }
  } catch {
    // Why it cannot be read is told when it is to be run.
    return { file: name, text: '' };
  }
}

/** Redacts what a script file holds itself; secrets of inline scripts are known before anything runs. */
function withoutSecrets(text: string): string {
  const secrets = new Secrets();
  addScript(secrets, text);
  return new Redactor(secrets).text(text);
}

/** In characters: what a shell says of a missing program stands at the end of the log. */
const lookedAt = 2000;

/** A script, its text as far as it is known, and where the agent worked. */
interface Places {
  script: string;
  text: string;
  workdir: string;
}

/**
 * A script that could not do its work says nothing about the agent: by what shells mean by 126 and 127, a
 * program was not found or could not be executed. Another exit code can hide that (`jq . | grep x`). If the
 * agent should have written that program, it did not. In all other cases the script has decided: it may have
 * another way to find out.
 */
function judged(
  end: ProcessEnd,
  log: string,
  places: Places,
): Pick<StepResult, 'outcome' | 'message' | 'warning'> {
  if (end.error?.code === 'E2BIG') return { outcome: 'error', message: tooLong };
  const how = `the script ${describeEnd(end)}`;
  if (end.error) return { outcome: 'error', message: how };
  if (end.code === 126 || end.code === 127) {
    // The last one, as what was missed before has not ended the script.
    const found = notStarted(log, [...notFound, ...notExecuted]).at(-1);
    const message = `${how}: ${found ? textOf(found) : meanings[end.code]}`;
    return { outcome: found && isOfAgent(found, places) ? 'failed' : 'error', message };
  }
  const missing = notStarted(log, notFound).filter(({ by }) => by === places.script);
  const [first] = missing;
  if (end.code === 0) {
    const warning = first && { code: 'program-missing' as const, message: textOf(first) };
    return { outcome: 'passed', ...(warning && { warning }) };
  }
  if (!first) return { outcome: 'failed', message: how };
  const cause = missing.find((each) => isOutputRead(each, places.text) && !isOfAgent(each, places));
  const outcome = cause ? 'error' : 'failed';
  return { outcome, message: `${how} (${textOf(cause ?? first)})` };
}

/**
 * Whether a script reads what a program should have written: `jq . | grep x`, `test "$(jq .)" = 1`, or
 * `jq . > counts; grep x counts`. A line that is prepared for its failure (`||`, `if`, `!`) decides by itself.
 */
function isOutputRead({ program, line: number }: NotStarted, script: string): boolean {
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

/** Whether it is the agent's own work that could not be run, or that calls what is not there. */
function isOfAgent({ program, by }: NotStarted, places: Places): boolean {
  if (program.includes('/') && isInWorkdir(program, places)) return true;
  const isFile = by !== undefined && by !== places.script && !/^(?:.*\/)?(?:ba|da|z)?sh$/.test(by);
  return isFile && isInWorkdir(by, places);
}

/** A relative path is where the script has gone. */
function isInWorkdir(path: string, { workdir, text }: Places): boolean {
  if (isAbsolute(path)) return !relative(workdir, path).startsWith('..');
  return text.includes('PROCTOR_WORKDIR');
}

const meanings = {
  126: 'a program that it calls cannot be executed',
  127: 'a program that it calls was not found',
};

/** How bash, dash and zsh say that there is no such program. */
const notFound = [
  /^(?<by>.*?): (?:line )?(?<line>\d+): (?:exec: )?(?<program>[^:\n]+): (?:command )?not found$/gm,
  /^(?<by>.*?):(?<line>\d+): command not found: (?<program>.+)$/gm,
];

/** How shells and programs that start others say that they cannot; with other exit codes, anybody may say so. */
const notExecuted = [
  /^.*: (?<program>[^:\n]+): (?<reason>Permission denied|Is a directory|cannot execute.*|Exec format error)$/gm,
  /^.*: (?<program>[^:\n]+): (?:[^:\n]+: )?(?<reason>bad interpreter.*)$/gm,
  /^(?:.*\/)?env: [‘'"]?(?<program>[^’'"\n]+)[’'"]?: No such file or directory$/gm,
  /^.*: (?:line )?\d+: (?<program>[^:\n]+): No such file or directory$/gm,
  /^\w+: (?<program>[^:\n]*\/[^:\n]+): No such file or directory$/gm,
  /^(?:nice|nohup|stdbuf|timeout|time|xargs): (?:failed to run command )?[‘'"]?(?<program>[^:’'"\n]+)[’'"]?: No such file or directory$/gm,
];

interface NotStarted {
  program: string;
  reason: string;
  /** The script that called it, as its shell names it. */
  by?: string;
  /** Where in that script; 0: not known. */
  line: number;
}

/** The programs that could not be started and why, by what was written about it, in that order. */
function notStarted(log: string, messages: readonly RegExp[]): NotStarted[] {
  return messages
    .flatMap((message) => [...log.matchAll(message)])
    .sort((a, b) => a.index - b.index)
    .flatMap(({ groups }) => {
      const { program, reason = 'command not found', by, line = '0' } = groups ?? {};
      if (program === undefined) return [];
      return [{ program, reason, line: Number(line), ...(by !== undefined && { by }) }];
    });
}

function textOf({ program, reason }: NotStarted): string {
  return `could not start ${JSON.stringify(program)}: ${reason}`;
}

const tooLong =
  'the script could not be started: its variables are longer than the system takes; long texts have to come in a file, such as PROCTOR_AGENT_OUTPUT';

/** A script may be gone by now, or its name may have been completed by a placeholder. */
async function commandFor(
  path: string,
  { environment, task }: StepContext,
): Promise<ScriptCommand> {
  const name = relative(task.folder, path);
  const flaw = flawOfScript(path);
  if (flaw?.code === 'file-not-found') {
    throw new Error(`the script ${name} cannot be read: there is no such file`);
  }
  if (flaw) throw new Error(`the script ${name} ${flaw.reason}`);
  return scriptCommand(path, environment, task.usesLoginShell === true);
}

/** In its own folder a script finds what lies beside it; one without a file is beside the task. */
function scriptFile(
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

function resolvedEnvironment({ env = {} }: ScriptData, context: StepContext): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, withoutNul(name, context.resolve(value))]),
  );
}

/** Node would quote the value, cut off in the middle of what may be a secret. */
function withoutNul(name: string, value: string): string {
  if (!value.includes('\0')) return value;
  throw new Error(`the variable ${name} cannot hold the NUL character that is in its value`);
}

/** Something in the background may hold the output open for ever. */
async function outputArrived({ child }: ProcessGroup): Promise<void> {
  const closed = [child.stdout, child.stderr].map(async (stream) => {
    if (stream && !stream.closed) await once(stream, 'close');
  });
  await withTimeout(drainTime, Promise.all(closed));
}
