import { registerRun } from '../base/processes/leftover-processes.js';
import { makeRunMarkVariables } from '../base/processes/process-identity.js';
import type { Problems } from '../config/problems/problem.js';
import { type Limits, makeLocalLimitsForEvals } from '../limits/limits.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import { LocalRun } from './local-run.js';
import { preflight } from './preflight/preflight.js';
import { reportPreflight } from './preflight/preflight-problems.js';
import { mergeLimits } from './prepare/prepare-eval.js';
import {
  describeRunToRecord,
  type PreparedRun,
  type Runner,
  type RunnerContext,
  type RunRequest,
} from './runner.js';
import type { EvalToRun } from './session/prepare-check.js';
import { describeParticipants } from './variant-setup.js';
import { refuseWithoutWorkspace } from './workspace.js';

/** Executes task runs in this process. */
export class LocalRunner implements Runner {
  readonly #context: RunnerContext;
  readonly #limits: ReadonlyMap<EvalToRun, Limits>;

  constructor(context: RunnerContext) {
    this.#context = context;
    const { evals } = context;
    const limits = makeLocalLimitsForEvals(
      evals.map(({ suite, options }) => mergeLimits(suite.eval.data.config.limits, options.limits)),
    );
    this.#limits = new Map(
      evals.flatMap((planned, index) => {
        const limitsOfEval = limits[index];
        return limitsOfEval ? [[planned, limitsOfEval] as const] : [];
      }),
    );
  }

  async prepare(
    request: RunRequest,
    problems: Problems,
    signal: AbortSignal,
  ): Promise<PreparedRun> {
    const { id, planned, participants } = request;
    const limits = this.#limits.get(planned);
    if (!limits) throw new Error(`the eval ${planned.plan.file} is not one of this runner`);
    // Runs beside it, or before it, must spare what preflight starts.
    const release = registerRun(id);
    // Also what preflight starts is found again by the mark of the run.
    const environment = { ...this.#context.environment, ...makeRunMarkVariables(id) };
    const isOnlyEval = this.#context.evals.length === 1;
    // Where there are several evals, none may meet the servers of another.
    const proxy = isOnlyEval ? await RecordingProxy.start({ environment }) : undefined;
    const ready = await preflight({
      participants,
      environment,
      redact: (text) => planned.redactor.text(text),
      signal,
      proxy,
    }).catch(async (error: unknown) => {
      await proxy?.close();
      release();
      return refuseWithoutWorkspace(error);
    });
    if (!isOnlyEval) await ready.departure;
    if (!signal.aborted) reportPreflight(ready, participants.extensions, problems);
    let run: LocalRun | undefined;
    return {
      run: async (onEvent) => {
        const { parallel, keepWorkdir } = planned.options;
        run = new LocalRun({
          ...describeRunToRecord(request, this.#context, onEvent),
          ...describeParticipants(participants, ready),
          limits,
          environment,
          parallel,
          keepWorkdir,
          proxy,
          leaving: ready.departure,
        });
        return run.run();
      },
      interrupt: () => run?.interrupt(),
      close: async () => {
        await ready.departure;
        await proxy?.close();
        release();
      },
    };
  }

  async close(): Promise<void> {
    for (const limits of this.#limits.values()) await limits.close();
  }
}
