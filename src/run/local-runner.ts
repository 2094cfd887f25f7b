import { registerRun } from '../base/processes/leftover-processes.js';
import { makeRunMarkVariables } from '../base/processes/process-identity.js';
import type { Problems } from '../config/problems/problem.js';
import { type Limits, makeLocalLimitsForEvals } from '../limits/limits.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import { LocalExecution } from './local-execution.js';
import { preflight } from './preflight/preflight.js';
import { reportPreflight } from './preflight/preflight-problems.js';
import { mergeLimits } from './prepare/prepare-eval.js';
import {
  makeRunToRecord,
  type PreparedRun,
  type Runner,
  type RunnerContext,
  type RunRequest,
} from './runner.js';
import type { EvalToRun } from './session/prepare-check.js';
import { makeReadyParticipants } from './variant-setup.js';
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
      evals.flatMap((evalToRun, index) => {
        const limitsOfEval = limits[index];
        return limitsOfEval ? [[evalToRun, limitsOfEval] as const] : [];
      }),
    );
  }

  async prepare(
    request: RunRequest,
    problems: Problems,
    signal: AbortSignal,
  ): Promise<PreparedRun> {
    const { id, evalToRun, participants } = request;
    const limits = this.#limits.get(evalToRun);
    if (!limits) throw new Error(`the eval ${evalToRun.plan.file} is not one of this runner`);
    // Until it is released, no other run of this process stops what preflight starts.
    const release = registerRun(id);
    // By this mark, what preflight starts is found again, too.
    const environment = { ...this.#context.environment, ...makeRunMarkVariables(id) };
    // Of several evals, each starts a proxy when it runs: its servers must not meet those of another eval.
    const isOnlyEval = this.#context.evals.length === 1;
    let proxy: RecordingProxy | undefined;
    const close = async () => {
      try {
        await proxy?.close();
      } finally {
        release();
      }
    };
    try {
      if (isOnlyEval) proxy = await RecordingProxy.start({ environment });
      const answers = await preflight({
        participants,
        environment,
        redact: (text) => evalToRun.redactor.text(text),
        signal,
        proxy,
      }).catch(refuseWithoutWorkspace);
      if (!isOnlyEval) await answers.departure;
      if (!signal.aborted) reportPreflight(answers, participants.extensions, problems);
      let execution: LocalExecution | undefined;
      return {
        execute: async (hooks) => {
          const { parallel, keepWorkdir } = evalToRun.options;
          execution = new LocalExecution({
            ...makeRunToRecord(request, this.#context, hooks),
            ...makeReadyParticipants(participants, answers),
            limits,
            environment,
            parallel,
            keepWorkdir,
            proxy,
            preflightServersExited: answers.departure,
          });
          return execution.execute();
        },
        interrupt: () => execution?.interrupt(),
        close: async () => {
          try {
            await answers.departure;
          } finally {
            await close();
          }
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const limits of this.#limits.values()) await limits.close();
  }
}
