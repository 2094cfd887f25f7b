import { constants, existsSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import type { ProcessGroup } from '../../base/processes/process-group.js';
import type { Task } from '../../config/files/task-file.js';
import type { Phase, TaskStep } from '../../config/files/task-steps.js';
import { parseStepTimeout } from '../../config/schemas/step-schemas.js';
import type { StepAccount, StepEnded } from '../../journal/step-events.js';
import type { PhaseEnded } from '../../journal/task-run-events.js';
import { locateKey } from '../../plan/origin.js';
import { findStepTarget } from '../../plan/step-target.js';
import type { PlaceholderValues } from '../../steps/placeholder-values.js';
import { findStepRunner } from '../../steps/registry.js';
import type { StepContext, StepResult, StepServices } from '../../steps/step.js';
import type { EventStream } from '../journal/event-stream.js';
import type { OutputKeeper } from '../journal/kept-outputs.js';
import { truncateRedacted } from '../journal/redaction.js';
import { TimeLimit } from './time-limit.js';

/** In characters: messages of extensions and servers can be too long to be read. */
const maxMessage = 8 * 1024;

/** A step that did not pass. */
export interface FailedStep {
  /** The number of its event in the journal. */
  seq: number;
  type: string;
  outcome: StepEnded['outcome'];
  message: string;
}

export interface PhaseResult {
  outcome: PhaseEnded['outcome'];
  /** None if the phase has no step, or none came to its end. */
  steps: number;
  failed: FailedStep[];
}

interface StepPhaseOptions {
  taskRun: string;
  task: Task;
  evalFolder: string;
  events: EventStream;
  values: PlaceholderValues;
  /** Names of the servers that steps can call. */
  servers: readonly string[];
  /** For a step with that limit. */
  servicesWithin(limit: TimeLimit): StepServices;
  keptOutputs: OutputKeeper;
  workdir: string;
  harnessFolder: string;
  /** A copy of the fetched files that is there already, from a killed task run. */
  sourceCopy?: string;
  environment: NodeJS.ProcessEnv;
  started(group: ProcessGroup): void;
}

/** Runs the steps of setup, verify or cleanup of one task run. */
export class StepPhases {
  readonly #options: StepPhaseOptions;

  constructor(options: StepPhaseOptions) {
    this.#options = options;
  }

  /** `limit` is that of the whole phase; `variables` are asked for if it has steps. */
  async run(
    phase: Phase,
    limit: TimeLimit,
    variables?: () => Promise<NodeJS.ProcessEnv>,
  ): Promise<PhaseResult> {
    const { taskRun, task, events } = this.#options;
    const steps = task.steps.filter((step) => step.phase === phase);
    const result: PhaseResult = { outcome: 'passed', steps: 0, failed: [] };
    if (steps.length === 0) return result;
    const more = await variables?.();
    const started = performance.now();
    events.write({ type: 'phase-started', taskRun, phase });
    for (const [index, step] of steps.entries()) {
      if (limit.signal.aborted) break;
      const ended = await this.#step(step, index + 1, limit, more);
      result.steps += 1;
      if (ended === undefined) continue;
      const isForgiven = phase === 'setup' && step.continueOnError;
      if (!isForgiven) result.failed.push(ended);
      // Without a complete setup nothing can follow; the other phases run to their end.
      if (phase === 'setup' && !isForgiven) break;
    }
    result.outcome = limit.signal.aborted ? explainStop(limit) : outcomeOf(result.failed);
    const [first] = result.failed;
    events.write({
      type: 'phase-ended',
      taskRun,
      phase,
      outcome: result.outcome,
      durationMs: Math.round(performance.now() - started),
      ...(first && { message: first.message }),
    });
    return result;
  }

  async #step(
    step: TaskStep,
    number: number,
    phaseLimit: TimeLimit,
    more: NodeJS.ProcessEnv | undefined,
  ): Promise<FailedStep | undefined> {
    const { taskRun, task, evalFolder, events, values } = this.#options;
    const which = {
      taskRun,
      phase: step.phase,
      step: number,
      kind: step.type,
      ...(step.id !== undefined && { id: step.id }),
    };
    events.write({ type: 'step-started', ...which });
    const started = performance.now();
    const timeoutMs = parseStepTimeout(step);
    const limit = new TimeLimit(phaseLimit, timeoutMs);
    const services = this.#options.servicesWithin(limit);
    const { signal } = limit;
    const result = await this.#result(step, { step: number, timeoutMs, signal, services }, more);
    limit.release();
    const durationMs = Math.round(performance.now() - started);
    const outcome = stepOutcome(result, limit, phaseLimit);
    values.stepEnded(step, result.outputs, result.truncated);
    const whole = messageOf(result, outcome, limit, timeoutMs);
    const beginningOf = (text: string, length: number) => truncateRedacted(events, text, length);
    const message = beginningOf(whole, maxMessage);
    const files = await this.#keepWhole(step, number, result);
    const { file, line } = locateKey(task.source, step.path);
    const seq = events.write({
      type: 'step-ended',
      ...which,
      source: { file: relative(evalFolder, task.source.path) || file, line },
      passed: outcome === 'passed',
      outcome,
      ...(outcome !== 'passed' && { message }),
      outputs: result.outputs,
      ...(result.truncated && { truncated: result.truncated }),
      ...(files && { files }),
      ...(result.account && boundAccount(result.account, beginningOf)),
      durationMs,
    });
    // If we are killed from here on, cleanup has to know what was made.
    if (step.phase === 'setup') await events.flush();
    const name = step.id ?? `step ${number}`;
    const { type } = step;
    if (result.warning) {
      const { code, message } = result.warning;
      const about = `${task.name}: ${step.phase}, ${name} (${type}) passed, but `;
      events.write({ type: 'warning', taskRun, code, message: about + message });
    }
    if (outcome === 'passed') return undefined;
    return { seq, type, outcome, message: `${step.phase}, ${name} (${type}): ${message}` };
  }

  async #keepWhole(
    { phase }: TaskStep,
    step: number,
    { spilled }: StepResult,
  ): Promise<StepEnded['files']> {
    if (!spilled) return undefined;
    const { taskRun, events, keptOutputs } = this.#options;
    const name = { taskRun: events.redact(taskRun), phase, step };
    const files = await keptOutputs.keep(name, spilled);
    return Object.keys(files).length > 0 ? files : undefined;
  }

  async #result(
    step: TaskStep,
    how: Pick<StepContext, 'step' | 'timeoutMs' | 'signal' | 'services'>,
    more: NodeJS.ProcessEnv | undefined,
  ): Promise<StepResult> {
    const { task, values, servers, started } = this.#options;
    const { workdir, harnessFolder, environment } = this.#options;
    const target = findStepTarget(step.type, task.requires, servers);
    const run = findStepRunner(target?.kind ?? step.type);
    try {
      if (!run) throw new Error(`there is no step ${step.type}`);
      return await run(step.data, {
        task: {
          name: task.name,
          folder: await this.#taskFolder(),
          usesLoginShell: task.usesLoginShell,
        },
        phase: step.phase,
        ...how,
        ...(target && { target: { name: target.target, operation: target.name } }),
        workdir,
        harnessFolder,
        environment: { ...environment, ...more },
        agent: values.agent,
        resolve: (text, quote) => values.resolve(text, quote),
        started,
      });
    } catch (error) {
      const message = errorMessage(error);
      return { outcome: 'error', message, outputs: {} };
    }
  }

  /** Scripts may write beside themselves: those of a fetched task do so in a copy, made for this task run. */
  async #taskFolder(): Promise<string> {
    const { task, harnessFolder } = this.#options;
    const folder = dirname(task.source.path);
    if (task.sourceFolder === undefined) return folder;
    const { sourceCopy = sourceCopyIn(harnessFolder) } = this.#options;
    if (!existsSync(sourceCopy)) {
      const unfinished = `${sourceCopy}.unfinished`;
      const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };
      await cp(task.sourceFolder, unfinished, options);
      await rename(unfinished, sourceCopy);
    }
    return join(sourceCopy, relative(task.sourceFolder, folder));
  }
}

/** Where a task run with this private folder has its copy of the files that its task was fetched with. */
export function sourceCopyIn(harnessFolder: string): string {
  return join(harnessFolder, 'source');
}

function messageOf(
  { message, isUnjudged }: StepResult,
  outcome: StepEnded['outcome'],
  { stopped }: TimeLimit,
  timeoutMs: number,
): string {
  const isLate = stopped === 'timeout' && (outcome === 'timeout' || isUnjudged === true);
  if (isLate) return `the step took longer than its limit of ${timeoutMs / 1000} s`;
  return message ?? reasons[outcome];
}

const reasons: Record<StepEnded['outcome'], string> = {
  passed: '',
  failed: 'it did not pass',
  error: 'it could not be run',
  timeout: 'it was stopped: the time is up',
  cancelled: 'it was stopped: the run was interrupted',
};

/** Stopped by its own limit or from above; a step that passed all the same has passed. */
function stepOutcome(
  { outcome, isUnjudged }: StepResult,
  limit: TimeLimit,
  phaseLimit: TimeLimit,
): StepEnded['outcome'] {
  if (outcome !== 'stopped') return outcome;
  if (limit.stopped !== 'timeout') return explainStop(phaseLimit);
  return isUnjudged ? 'error' : 'timeout';
}

/** Why a phase was stopped: its own limit, or an interruption. */
export function explainStop({ stopped }: TimeLimit): 'timeout' | 'cancelled' {
  return stopped === 'timeout' ? 'timeout' : 'cancelled';
}

/** A step that could not be judged counts only where none has failed. */
function outcomeOf(failed: readonly FailedStep[]): PhaseEnded['outcome'] {
  if (failed.length === 0) return 'passed';
  return failed.every(({ outcome }) => outcome === 'error') ? 'error' : 'failed';
}

/** In characters. Longer arguments are in the record of the call; of the rest the beginning will do. */
const maxArgs = 256 * 1024;
const maxReference = 64 * 1024;
const maxAddress = 8 * 1024;
const maxScript = 8 * 1024;

/** What a step did, cut to a sensible length: a placeholder can stand for a whole answer. */
export function boundAccount(
  { args, judgement, request, script, ...rest }: StepAccount,
  beginningOf: (text: string, length: number) => string,
): StepAccount {
  return {
    ...rest,
    ...(script && { script: { ...script, text: beginningOf(script.text, maxScript) } }),
    ...(args && args.text.length <= maxArgs && { args }),
    ...(judgement && {
      judgement: { ...judgement, reference: beginningOf(judgement.reference, maxReference) },
    }),
    ...(request && {
      request: {
        ...request,
        url: beginningOf(request.url, maxAddress),
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            beginningOf(value, maxAddress),
          ]),
        ),
      },
    }),
  };
}
