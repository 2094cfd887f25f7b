import { runMarkVariables } from '../../base/processes/process-marks.js';
import type { Problems } from '../../config/problem.js';
import type { Limits } from '../../limits/limits.js';
import { localLimitsOfEvals } from '../../limits/local-limits.js';
import { RecordingProxy } from '../../proxy/recording-proxy.js';
import { Evaluation, type EvaluationOptions } from '../../run/evaluation.js';
import { preflight } from '../../run/preflight/preflight.js';
import { limitSettings } from '../../run/prepare/limit-settings.js';
import type { Bail, Budget } from '../../run/schedule/stop-conditions.js';
import { identityOf } from './agent-identity.js';
import type { EvalToRun, Evaluator, ReadyEval } from './evaluator.js';
import { refuseWithoutWorkspace, reportPreflight } from './preflight-problems.js';
import type { PreparedCheck } from './prepared-check.js';
import { setupsOf } from './variant-setups.js';

interface LocalEvaluatorOptions {
  /** All that it is going to be asked for. */
  evals: readonly PreparedCheck[];
  environment: NodeJS.ProcessEnv;
  /** Of the whole check. */
  budget: Budget;
  bail: Bail;
}

/** Task runs in this process. */
export class LocalEvaluator implements Evaluator {
  readonly #options: LocalEvaluatorOptions;
  readonly #limits: ReadonlyMap<PreparedCheck, Limits>;
  /** Ids of runs that are ready and not over: their extensions are at work already. */
  readonly #ready = new Set<string>();

  constructor(options: LocalEvaluatorOptions) {
    this.#options = options;
    const { evals } = options;
    const limits = localLimitsOfEvals(
      evals.map(({ suite, options }) =>
        limitSettings(suite.eval.data.config.limits, options.limits),
      ),
    );
    this.#limits = new Map(
      evals.flatMap((prepared, index) => {
        const own = limits[index];
        return own ? [[prepared, own] as const] : [];
      }),
    );
  }

  async makeReady(each: EvalToRun, problems: Problems, signal: AbortSignal): Promise<ReadyEval> {
    const { id, prepared, assembled } = each;
    const { variants, verification, judge } = assembled;
    // Also what preflight starts is found again by the mark of the run.
    const environment = { ...this.#options.environment, ...runMarkVariables(id) };
    const isOnlyEval = this.#options.evals.length === 1;
    // Of several evals, one has to be without the servers of another.
    const proxy = isOnlyEval ? await RecordingProxy.start({ environment }) : undefined;
    const ready = await preflight({
      variants,
      verification,
      environment,
      redact: (text) => prepared.redactor.text(text),
      signal,
      ...(proxy && { proxy }),
    }).catch(async (error: unknown) => {
      await proxy?.close();
      return refuseWithoutWorkspace(error);
    });
    if (!isOnlyEval) await ready.left;
    if (!signal.aborted) reportPreflight(ready, verification, problems);
    this.#ready.add(id);
    let evaluation: Evaluation | undefined;
    return {
      run: async (onEvent) => {
        this.#ready.delete(id);
        evaluation = new Evaluation({
          ...this.#evaluationOptions(each),
          setups: setupsOf(ready),
          record: {
            id,
            ...(judge && { judge: identityOf(judge, ready.judge) }),
            ...each.toDo.record,
          },
          ...(proxy && { proxy }),
          leaving: ready.left,
          onEvent,
        });
        return evaluation.run();
      },
      interrupt: () => evaluation?.interrupt(),
      close: async () => {
        this.#ready.delete(id);
        await ready.left;
        await proxy?.close();
      },
    };
  }

  async close(): Promise<void> {
    for (const limits of this.#limits.values()) await limits.close();
  }

  #evaluationOptions({
    prepared,
    assembled: { verification, judge },
    toDo: { work, earlier },
    files,
  }: EvalToRun): Omit<EvaluationOptions, 'setups' | 'record' | 'onEvent'> {
    const { suite, plan, redactor, options } = prepared;
    const { environment, budget, bail } = this.#options;
    const { previous, changed } = earlier;
    const limits = this.#limits.get(prepared);
    if (!limits) throw new Error(`nobody told of the eval ${plan.file} before`);
    return {
      plan,
      work,
      evalPath: suite.eval.source.path,
      ...(judge && { judge }),
      extensions: verification.extensions,
      limits,
      journalPath: files.journal,
      redactor,
      environment,
      parallel: options.parallel,
      bail,
      budget,
      ...(options.keepWorkdir && { keepWorkdir: options.keepWorkdir }),
      ...(previous && { previous, changed, isForced: options.force }),
      waiting: [...this.#ready],
    };
  }
}
