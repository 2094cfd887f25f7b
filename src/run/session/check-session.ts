import { describeReachedBudget } from '../../analysis/figure-text.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import { Problems } from '../../config/problems/problem.js';
import type { SpentBudget } from '../../journal/run-events.js';
import { isStorageError } from '../local-execution.js';
import { LocalRunner } from '../local-runner.js';
import { type EvalOutput, planOutputs } from '../outputs/output-files.js';
import { lockOutputs } from '../outputs/output-lock.js';
import { ResultsList } from '../reporters/report-output.js';
import { isJsonOnStdout, jsonRequest } from '../reporters/reporter-requests.js';
import { findPendingWork, NothingToRerunError, type PendingWork } from '../resume/pending-work.js';
import type { Runner, RunnerContext } from '../runner.js';
import { Bail, Budget, type SpentBefore } from '../schedule/stop-conditions.js';
import { decideExitCode } from './check-end.js';
import type { CheckEvent, EvalResult } from './check-events.js';
import type { ResolvedOptions } from './check-options.js';
import { EvalSession, type EvalSessionContext } from './eval-session.js';
import { type CheckPreparation, prepareCheck, type SkippedEval } from './prepare-check.js';

/** The events of a session are part of its interface. */
export type {
  CheckEvent,
  EvalInfo,
  EvalResult,
  EvalStatus,
  RunSummary,
  WorkersNow,
} from './check-events.js';
export { describeMovedAside } from './check-events.js';

export interface CheckRequest
  extends Pick<
    EvalSessionContext,
    'environment' | 'openOutput' | 'addsGithubReporter' | 'renderReport'
  > {
  /** Eval files, folders of evals, or patterns. */
  paths: readonly string[];
  options: ResolvedOptions;
  /** Finds the files that an eval takes from elsewhere. */
  findSources: Parameters<typeof prepareCheck>[2]['findSources'];
  /** Receives everything that the check reports. */
  onEvent(event: CheckEvent): void;
  /** Where task runs are executed, if not in this process. Throws UsageError. */
  createRunner?(context: RunnerContext): Promise<Runner>;
}

interface EvalWithWork {
  output: EvalOutput;
  pending: PendingWork;
}

type Stage = Extract<CheckEvent, { type: 'problems' }>['stage'];

/**
 * A check of one eval or of several. Nothing of any of them runs before everything that all of them need
 * is there; then they run one after the other.
 */
export class CheckSession {
  readonly #request: CheckRequest;
  readonly #options: ResolvedOptions;
  readonly #bail: Bail;
  readonly #stop = new AbortController();
  #isPrepared = false;
  #isOfSeveral = false;
  #sessions: EvalSession[] = [];
  #skipped: SkippedEval[] = [];
  #budget: Budget;
  #runner: Runner | undefined;
  #resultsList: ResultsList | undefined;
  #current: EvalSession | undefined;
  #removal: Promise<void> | undefined;

  constructor(request: CheckRequest) {
    this.#request = request;
    this.#options = request.options;
    this.#bail = new Bail(request.options.bail);
    this.#budget = new Budget(request.options.budget);
  }

  /** Whether workers on other machines do the task runs. */
  get #isQueued(): boolean {
    return this.#options.queue !== undefined;
  }

  /** How far the budgets are spent, if there are some. */
  get budgetState(): readonly SpentBudget[] {
    return this.#budget.state;
  }

  /** Whether modules of reporters may keep the process alive, even if they could not be created or do not end. */
  get mayKeepProcessAlive(): boolean {
    if (!this.#isPrepared) return false;
    const hasModules = this.#options.reporters.some(({ kind }) => 'module' in kind);
    return hasModules || this.#sessions.some(({ hasStuckReporters }) => hasStuckReporters);
  }

  /** Returns the exit code. Throws UsageError. */
  async run(): Promise<number> {
    const { paths, environment, findSources } = this.#request;
    const context = { environment, findSources };
    const preparation = await prepareCheck(paths, this.#options, context);
    const { evals, problems } = preparation;
    if (!evals) return this.#refuse(problems, 'files');
    this.#warn(problems, 'files');
    const outputs = planOutputs(evals);
    const locks = await lockOutputs(outputs.map(({ files }) => files));
    try {
      return await this.#runLocked(outputs, preparation);
    } finally {
      await locks.release();
    }
  }

  /** Called with 1, then with 2 to stop cleaning up too. */
  interrupt(times: number): void {
    this.#stop.abort();
    this.#current?.interrupt(times);
  }

  async #runLocked(
    outputs: readonly EvalOutput[],
    { problems, skipped }: CheckPreparation,
  ): Promise<number> {
    this.#isPrepared = true;
    this.#isOfSeveral = outputs.length + skipped.length > 1;
    this.#skipped = [...skipped];
    if (this.#isOfSeveral && this.#options.reporters.some(isJsonOnStdout)) {
      this.#resultsList = new ResultsList(this.#request.openOutput(jsonRequest, () => true));
    }
    try {
      return await this.#runAll(outputs, problems);
    } catch (error) {
      throw isStorageError(error) ? new UsageError(error.message) : error;
    } finally {
      for (const session of this.#sessions) await session.close();
      await this.#runner?.close();
    }
  }

  async #runAll(outputs: readonly EvalOutput[], problems: Problems): Promise<number> {
    const works = await this.#findWork(outputs);
    this.#budget = new Budget(this.#options.budget, sumSpent(works));
    for (const { output, pending } of works) {
      this.#sessions.push(await EvalSession.create(output, pending, this.#runContext()));
    }
    this.#request.onEvent({ type: 'planned', evals: this.#sessions, skipped: this.#skipped });
    const exitCode = await this.#makeReady(outputs, problems);
    if (exitCode !== undefined) return exitCode;
    if (this.#stop.signal.aborted) return exitCodes.interrupted;
    const results = await this.#runInTurn();
    const skippedResults = this.#skipped.map(describeSkipped);
    if (this.#resultsList) {
      for (const result of skippedResults) await this.#resultsList.add(result);
      await this.#resultsList.finish();
    }
    this.#request.onEvent({ type: 'ended', results: [...results, ...skippedResults] });
    return decideExitCode(results, this.#stop.signal.aborted);
  }

  #runContext(): EvalSessionContext {
    const { environment, onEvent, openOutput, addsGithubReporter, renderReport } = this.#request;
    return {
      environment,
      emit: onEvent,
      openOutput,
      addsGithubReporter,
      renderReport,
      isOneOfSeveral: this.#isOfSeveral,
      ...(this.#resultsList && { resultsList: this.#resultsList }),
    };
  }

  /** Every eval with its pending work, which may be none. Evals of which `--rerun-failed` finds nothing are skipped. */
  async #findWork(outputs: readonly EvalOutput[]): Promise<EvalWithWork[]> {
    const written = outputs.flatMap((output) => output.written);
    const works: EvalWithWork[] = [];
    let nothing: NothingToRerunError | undefined;
    for (const output of outputs) {
      const { evalToRun, files } = output;
      try {
        works.push({ output, pending: await findPendingWork(evalToRun, files, written) });
      } catch (error) {
        if (!(error instanceof NothingToRerunError)) throw error;
        nothing ??= error;
        const { name, file } = evalToRun.plan;
        this.#skipped.push({ name: evalToRun.redactor.text(name), file, reason: error.message });
      }
    }
    if (works.length === 0 && nothing) throw nothing;
    return works;
  }

  /** Assembles and checks what all evals need. Returns the exit code if the check ends here. */
  async #makeReady(
    outputs: readonly EvalOutput[],
    problems: Problems,
  ): Promise<number | undefined> {
    const unfinished = this.#sessions.filter(({ isDone }) => !isDone);
    const budgetProblems = new Problems();
    // With a queue, it does not matter what this machine lacks: those problems are dropped.
    const ownProblems = this.#isQueued ? new Problems() : problems;
    for (const session of unfinished) {
      budgetProblems.addFrom(await session.assemble(ownProblems));
    }
    if (this.#hasErrors(budgetProblems)) return this.#refuse(budgetProblems, 'budget');
    this.#warn(budgetProblems, 'budget');
    this.#runner = await this.#createRunner(outputs);
    const missing = new Problems();
    for (const session of unfinished) {
      if (!this.#isQueued) {
        const suffix = this.#isOfSeveral ? ` of ${session.name}` : '';
        const text = `Checking the servers and the agent${suffix}`;
        this.#request.onEvent({ type: 'progress', text });
      }
      await session.preflight(this.#runner, missing, this.#stop.signal);
      if (this.#stop.signal.aborted) return exitCodes.interrupted;
    }
    problems.addFrom(missing);
    if (unfinished.length > 0 && this.#hasErrors(problems))
      return this.#refuse(problems, 'preflight');
    this.#warn(missing, 'preflight');
    return undefined;
  }

  async #createRunner(outputs: readonly EvalOutput[]): Promise<Runner> {
    const { environment, onEvent, createRunner } = this.#request;
    const context: RunnerContext = {
      evals: outputs.map(({ evalToRun }) => evalToRun),
      environment,
      budget: this.#budget,
      bail: this.#bail,
      emit: onEvent,
    };
    if (!createRunner) return new LocalRunner(context);
    this.#refuseDetachedBounds();
    return createRunner(context);
  }

  /** All evals would be under way at once, and no process there to count what they spend together. */
  #refuseDetachedBounds(): void {
    const { budget, bail, detach } = this.#options;
    const isBounded = bail !== undefined || Object.keys(budget).length > 0;
    if (!this.#isOfSeveral || !detach || !isBounded) return;
    const message = '--detach with several evals cannot be combined with a budget or --bail';
    throw new UsageError(message, 'check the evals one by one, or leave --detach out');
  }

  #hasErrors(problems: Problems): boolean {
    return problems.report({ strict: this.#options.strict }).errors > 0;
  }

  #refuse(problems: Problems, stage: Stage): number {
    const report = problems.report({ strict: this.#options.strict });
    this.#request.onEvent({ type: 'problems', stage, report, isFatal: true });
    return exitCodes.invalid;
  }

  #warn(problems: Problems, stage: Stage): void {
    const report = problems.report({ strict: this.#options.strict });
    if (report.problems.length === 0) return;
    this.#request.onEvent({ type: 'problems', stage, report, isFatal: false });
  }

  async #runInTurn(): Promise<EvalResult[]> {
    const results: EvalResult[] = [];
    let broken: string | undefined;
    for (const session of this.#sessions) {
      const reason = broken ?? this.#findReasonNotToBegin(session);
      if (reason !== undefined) {
        results.push(await session.endWithoutRunning(reason));
        continue;
      }
      this.#current = session;
      try {
        const result = await session.run(this.#stop.signal, {
          hasEarlier: () => this.#hasEarlierOfAny(),
          replaceEarlier: () => this.#removeEarlierOfAll(),
        });
        results.push(result);
        if (result.isBroken) broken = `${session.name} could not be finished`;
      } catch (error) {
        // What was done already counts: it is no longer true that nothing ran.
        if (!isStorageError(error) || results.length === 0) throw error;
        broken = error.message;
        results.push(await session.endWithoutRunning(broken));
      }
    }
    return results;
  }

  /** Whether an eval has files of an earlier run. Once those are removed, all files are of this check. */
  #hasEarlierOfAny(): boolean {
    return !this.#removal && this.#sessions.some(({ hasEarlier }) => hasEarlier);
  }

  /**
   * Removes what earlier runs of all evals left, the first time it is called. Runners call it as late as before the first
   * task run: what is finished is not to be lost to a check that an interruption or a budget keeps from running anything.
   */
  #removeEarlierOfAll(): Promise<void> {
    this.#removal ??= (async () => {
      for (const session of this.#sessions) await session.removeEarlier();
    })();
    return this.#removal;
  }

  /** One eval alone is begun in any case, and says itself why it starts nothing. */
  #findReasonNotToBegin({ isDone }: EvalSession): string | undefined {
    if (!this.#isOfSeveral) return undefined;
    if (this.#stop.signal.aborted) return 'the check was interrupted';
    // What was done before is only reported.
    if (isDone) return undefined;
    if (this.#bail.isDue) return '--bail ended the check';
    if (!this.#budget.isSpent()) return undefined;
    const { reached } = this.#budget;
    return reached && describeReachedBudget(reached);
  }
}

function describeSkipped(skipped: SkippedEval): EvalResult {
  return { ...skipped, status: 'skipped' };
}

/** What all runs that are resumed have spent: a budget is for the whole check. */
function sumSpent(works: readonly EvalWithWork[]): SpentBefore {
  const sum: SpentBefore = { cost: 0, tokens: 0, durationMs: 0 };
  for (const { pending } of works) {
    const spent = pending.decision.previous?.spent;
    if (!spent) continue;
    sum.cost += spent.cost;
    sum.tokens += spent.tokens;
    sum.durationMs += spent.durationMs;
  }
  return sum;
}
