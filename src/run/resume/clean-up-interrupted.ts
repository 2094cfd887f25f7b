import { existsSync } from 'node:fs';
import type { ProcessGroup } from '../../base/processes/process-group.js';
import type { PlannedTask } from '../../plan/plan.js';
import { PlaceholderValues } from '../../steps/placeholder-values.js';
import { HarnessServices } from '../task-run/harness-services.js';
import { StepPhases, sourceCopyIn } from '../task-run/step-phase.js';
import { taskEnvironment } from '../task-run/task-environment.js';
import type { TaskRunSurroundings } from '../task-run/task-run-surroundings.js';
import { Waits } from '../task-run/waits.js';
import { TimeLimit } from '../time-limit.js';
import { harnessFolderBefore } from '../workspace.js';
import type { InterruptedTaskRun } from './interrupted-task-run.js';
import { recoverEvidence } from './recovered-evidence.js';

/** Runs the cleanup that a killed task run did not come to, with what its steps had put out. */
export async function cleanUpInterrupted(
  { started, startedAt, calls, steps, prompt }: InterruptedTaskRun,
  task: PlannedTask | undefined,
  around: TaskRunSurroundings,
): Promise<void> {
  const { taskRun, variant, run, random, worker } = started;
  const began = performance.now();
  const cleanupFailed = task ? await cleanUp() : undefined;
  const message =
    worker === undefined ? 'the process that ran it was killed' : `its worker was lost: ${worker}`;
  const evidence = around.events.write({
    type: 'warning',
    taskRun,
    code: 'task-run-interrupted',
    message: task ? message : `${message}, and its task is gone: its cleanup did not run`,
  });
  around.events.write({
    type: 'task-run-ended',
    taskRun,
    task: started.task,
    ...(variant !== undefined && { variant }),
    run,
    outcome: 'cancelled',
    failure: { category: 'cancelled', message, evidence },
    verified: null,
    assertionsHeld: null,
    startedAt,
    // Of the cleanup: no clock of ours ran while nobody did.
    durationMs: Math.round(performance.now() - began),
    output: '',
    calls,
    ...(cleanupFailed && { cleanupFailed }),
  });

  async function cleanUp(): Promise<true | undefined> {
    if (!task) return undefined;
    const { environment, evalFolder, events, workspace, stopCleanup } = around;
    const { proxy, servers, keptOutputs } = around;
    const values = new PlaceholderValues({ taskName: task.name, random, environment });
    for (const step of steps) values.stepEnded(step, step.outputs, step.truncated, true);
    if (prompt !== undefined) values.agentPrompted(prompt);
    const folders = await workspace.makeFolders();
    const evidence = await recoverEvidence(started.workdir, folders.harnessFolder);
    // With workers it may have been on another machine.
    const workdir = existsSync(started.workdir) ? started.workdir : folders.workdir;
    const sourceCopy = sourceCopyIn(harnessFolderBefore(started.workdir));
    values.agentAnswered(evidence.output);
    const groups: ProcessGroup[] = [];
    // The servers of then are gone; steps that call one start it anew.
    const proxied = proxy.open(servers, { taskRun, values: { workdir, random } });
    const services = new HarnessServices(proxied, around, new Waits(events, taskRun));
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
      environment: taskEnvironment(environment, task.name, workdir),
      started: (group) => groups.push(group),
    });
    const limit = new TimeLimit(stopCleanup, task.limits.cleanupTimeout?.milliseconds);
    const { outcome } = await phases.run('cleanup', limit, async () => evidence.environment);
    limit.release();
    await services.close();
    await proxied.close();
    for (const group of groups) group.kill();
    await workspace.removeFolders(folders);
    return outcome === 'passed' ? undefined : true;
  }
}
