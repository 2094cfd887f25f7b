import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ProcessGroup } from '../../base/processes/process-group.js';
import type { PlannedTask } from '../../plan/plan.js';
import { PlaceholderValues } from '../../steps/placeholder-values.js';
import { createTaskEnvironment, type TaskRunContext } from '../task-run/context.js';
import { HarnessServices } from '../task-run/harness-services.js';
import { StepPhases, sourceCopyIn } from '../task-run/step-phase.js';
import { TimeLimit } from '../task-run/time-limit.js';
import { Waits } from '../task-run/waits.js';
import { findHarnessFolder } from '../workspace.js';
import type { CutOffAttempt } from './previous-run.js';

/**
 * Runs the cleanup of an attempt that has no end in the journal, as a rule because its process was killed, with the
 * outputs of its steps, and ends the attempt as cancelled. False: the cleanup was cut short, so that the attempt
 * stays open, and the next resume or worker cleans up after it.
 */
export async function cleanUpCutOffAttempt(
  { started, startedAt, calls, steps, prompt }: CutOffAttempt,
  task: PlannedTask | undefined,
  context: TaskRunContext,
): Promise<boolean> {
  const { taskRun, variant, run, random, worker } = started;
  const began = performance.now();
  const hasPassed = task ? await cleanUp(task) : true;
  if (!hasPassed && context.stopCleanup.aborted) return false;
  const message =
    worker === undefined ? 'the journal does not show its end' : `its worker was lost: ${worker}`;
  const evidence = context.events.write({
    type: 'warning',
    taskRun,
    code: 'task-run-interrupted',
    message: task ? message : `${message}, and its task is gone: its cleanup did not run`,
  });
  context.events.write({
    type: 'task-run-ended',
    taskRun,
    task: started.task,
    variant,
    run,
    outcome: 'cancelled',
    failure: { category: 'cancelled', message, evidence },
    verified: null,
    assertionsHeld: null,
    startedAt,
    // The duration of the cleanup: before it, no process measured one.
    durationMs: Math.round(performance.now() - began),
    output: '',
    calls,
    ...(!hasPassed && { cleanupFailed: true as const }),
  });
  return true;

  async function cleanUp(task: PlannedTask): Promise<boolean> {
    const { environment, evalFolder, events, workspace, stopCleanup } = context;
    const { proxy, servers, keptOutputs } = context;
    const values = new PlaceholderValues({ taskName: task.name, random, environment });
    for (const step of steps) values.stepEnded(step, step.outputs, step.truncated, true);
    if (prompt !== undefined) values.agentPrompted(prompt);
    const folders = await workspace.makeFolders();
    const evidence = await recoverEvidence(started.workdir, folders.harnessFolder);
    // It may be on the machine of another worker.
    const workdir = existsSync(started.workdir) ? started.workdir : folders.workdir;
    const sourceCopy = sourceCopyIn(findHarnessFolder(started.workdir));
    values.agentAnswered(evidence.output);
    const groups: ProcessGroup[] = [];
    // Its servers are gone; a step that calls one starts it again.
    const proxied = proxy.open(servers, { taskRun, values: { workdir, random } });
    const services = new HarnessServices(proxied, context, new Waits(events, taskRun));
    const phases = new StepPhases({
      taskRun,
      task: task.definition,
      evalFolder,
      events,
      values,
      servers: servers.map(({ name }) => name),
      servicesWithin: (limit) => services.within(limit),
      keptOutputs,
      workdir,
      harnessFolder: folders.harnessFolder,
      ...(existsSync(sourceCopy) && { sourceCopy }),
      environment: createTaskEnvironment(environment, task.name, workdir),
      started: (group) => groups.push(group),
    });
    const limit = new TimeLimit(stopCleanup, task.limits.cleanupTimeout?.milliseconds);
    const { outcome } = await phases.run('cleanup', limit, async () => evidence.environment);
    limit.release();
    await services.close();
    await proxied.close();
    for (const group of groups) group.kill();
    await workspace.removeFolders(folders);
    return outcome === 'passed';
  }
}

/** What cleanup steps can use of what the agent did. */
interface RecoveredEvidence {
  /** The agent's answer. */
  output: string;
  environment: NodeJS.ProcessEnv;
}

/** Makes the files for scripts from those that the attempt had when it was killed. */
export async function recoverEvidence(workdir: string, folder: string): Promise<RecoveredEvidence> {
  const before = findHarnessFolder(workdir);
  const output = await readFile(join(before, 'agent-output.txt'), 'utf8').catch(() => '');
  const outputPath = join(folder, 'agent-output.txt');
  await writeFile(outputPath, output, { mode: 0o600 });
  const callsPath = join(folder, 'calls.json');
  await copyCalls(join(before, 'calls.json'), callsPath);
  return {
    output,
    environment: { PROCTOR_AGENT_OUTPUT: outputPath, PROCTOR_CALLS: callsPath },
  };
}

/** Copies the list of calls, one on each line. The last one may be torn, and the end of the list may be missing. */
async function copyCalls(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await file.appendFile('[');
    let separator = '\n';
    for await (const line of readLines(from)) {
      const call = line.endsWith(',') ? line.slice(0, -1) : line;
      if (!call.startsWith('{') || !isJson(call)) continue;
      await file.appendFile(`${separator}${call}`);
      separator = ',\n';
    }
    await file.appendFile(']\n');
  } finally {
    await file.close();
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path) });
  } catch {
    // The agent had called nothing yet.
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
