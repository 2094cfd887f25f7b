import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeEnd, type ProcessEnd, ProcessGroup } from '../processes/process-group.js';
import { BoundedOutput } from './bounded-output.js';
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
  const stdout = new BoundedOutput();
  const stderr = new BoundedOutput();
  group.child.stdout?.on('data', (bytes: Buffer) => stdout.add(bytes));
  group.child.stderr?.on('data', (bytes: Buffer) => stderr.add(bytes));

  const stop = () => void group.stop(grace);
  if (context.signal.aborted) stop();
  context.signal.addEventListener('abort', stop, { once: true });
  const end = await group.ended;
  await outputArrived(group);
  context.signal.removeEventListener('abort', stop);

  const outputs = {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: String(end.code ?? ''),
  };
  const truncated = [
    ...(stdout.isTruncated ? ['stdout'] : []),
    ...(stderr.isTruncated ? ['stderr'] : []),
  ];
  return {
    ...judged(end, context.signal),
    outputs,
    ...(truncated.length > 0 && { truncated }),
  };
}

function judged(end: ProcessEnd, signal: AbortSignal): Pick<StepResult, 'outcome' | 'message'> {
  if (signal.aborted) return { outcome: 'stopped' };
  if (end.error?.code === 'E2BIG') return { outcome: 'error', message: tooLong };
  if (end.error) return { outcome: 'error', message: `the script ${describeEnd(end)}` };
  if (end.code === 0) return { outcome: 'passed' };
  return { outcome: 'failed', message: `the script ${describeEnd(end)}` };
}

const tooLong =
  'the script could not be started: its variables are longer than the system takes; long texts have to come in a file, such as PROCTOR_AGENT_OUTPUT';

/** A script may be gone by now, or its name may have been completed by a placeholder. */
function commandFor(path: string, { environment, task }: StepContext): ScriptCommand {
  try {
    return scriptCommand(path, environment);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : message;
    throw new Error(`the script ${relative(task.folder, path)} cannot be read: ${reason}`);
  }
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
    Object.entries(env).map(([name, value]) => [name, context.resolve(value)]),
  );
}

/** Something in the background may hold the output open for ever. */
async function outputArrived({ child }: ProcessGroup): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
  if (streams.length === 0) return;
  const waiting = new AbortController();
  const closed = Promise.all(
    streams.map((stream) => new Promise((resolve) => stream?.once('close', resolve))),
  );
  const patience = delay(drainTime, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([closed, patience]);
  waiting.abort();
}
