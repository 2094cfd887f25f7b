import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { flawOfScript } from '../config/script-file.js';
import { describeEnd, type ProcessEnd, ProcessGroup } from '../processes/process-group.js';
import { within } from '../processes/within.js';
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
  const { path, folder } = await scriptFile(data as ScriptData, context);
  const { program, args } = commandFor(path, context);
  const group = new ProcessGroup(program, args, {
    cwd: folder,
    env: { ...context.environment, ...resolvedEnvironment(data as ScriptData, context) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.started(group);
  const spillPath = join(context.privateFolder, `${context.phase}-${context.step}`);
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

  const { outputs, ...cut } = boundedOutputs({ stdout, stderr });
  return {
    ...(stopping ? { outcome: 'stopped' } : judged(end)),
    outputs: { ...outputs, exitCode: String(end.code ?? '') },
    ...cut,
  };
}

function judged(end: ProcessEnd): Pick<StepResult, 'outcome' | 'message'> {
  if (end.error?.code === 'E2BIG') return { outcome: 'error', message: tooLong };
  if (end.error) return { outcome: 'error', message: `the script ${describeEnd(end)}` };
  if (end.code === 0) return { outcome: 'passed' };
  return { outcome: 'failed', message: `the script ${describeEnd(end)}` };
}

const tooLong =
  'the script could not be started: its variables are longer than the system takes; long texts have to come in a file, such as PROCTOR_AGENT_OUTPUT';

/** A script may be gone by now, or its name may have been completed by a placeholder. */
function commandFor(path: string, { environment, task }: StepContext): ScriptCommand {
  const name = relative(task.folder, path);
  const flaw = flawOfScript(path);
  if (flaw?.code === 'file-not-found') {
    throw new Error(`the script ${name} cannot be read: there is no such file`);
  }
  if (flaw) throw new Error(`the script ${name} ${flaw.reason}`);
  return scriptCommand(path, environment);
}

/** In its own folder a script finds what lies beside it; one without a file is beside the task. */
async function scriptFile(
  { inline, file }: ScriptData,
  context: StepContext,
): Promise<{ path: string; folder: string }> {
  if (file !== undefined) {
    const path = resolve(context.task.folder, context.resolve(file));
    return { path, folder: dirname(path) };
  }
  const path = join(context.privateFolder, `${context.phase}-${context.step}`);
  await writeFile(path, inline ?? '', { mode: 0o700 });
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
  await within(drainTime, Promise.all(closed));
}
