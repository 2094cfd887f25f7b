import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describeReachedBudget } from '../../analysis/figure-text.js';
import { summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { makeRunMarkVariables } from '../../base/processes/process-identity.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { Problems } from '../../config/problems/problem.js';
import { readJournal } from '../../journal/journal-reader.js';
import { Prices } from '../../prices/prices.js';
import { poolFile } from '../../reporters/reporter.js';
import { openResultsFile } from '../../results/read/open-results.js';
import type { ResultTotals } from '../../results/schema/results-schema.js';
import { writeResults } from '../../results/write/write-results.js';
import type { StopCauses } from '../journal/run-recorder.js';
import {
  moveOutputAside,
  removeEarlierFile,
  removeEarlierOutput,
} from '../outputs/earlier-output.js';
import type { EvalOutput, OutputFiles } from '../outputs/output-files.js';
import { assembleParticipants, type Participants } from '../prepare/participants.js';
import { findUnmeasuredBudgets } from '../prepare/pricing.js';
import { EvalReporters } from '../reporters/eval-reporters.js';
import type { OpenReportOutput, ResultsList } from '../reporters/report-output.js';
import type { PendingWork } from '../resume/pending-work.js';
import type { PreparedRun, RunHooks, Runner } from '../runner.js';
import { decideEndReason, decideStatus } from './check-end.js';
import type { EmitCheckEvent, EvalInfo, EvalResult, RunSummary } from './check-events.js';
import type { EvalToRun } from './prepare-check.js';

/** What the evals of a check have in common. */
export interface EvalSessionContext {
  environment: NodeJS.ProcessEnv;
  emit: EmitCheckEvent;
  openOutput: OpenReportOutput;
  /** Whether the reporter `github` is added in GitHub Actions without being asked for. */
  addsGithubReporter: boolean;
  /** The report for people, as plain text for a file. */
  renderReport(info: EvalInfo, run: RunSummary): string;
  isOneOfSeveral: boolean;
  /** Where results go that are asked for on stdout, if there are several evals. */
  resultsList?: ResultsList;
}

/** Takes one eval of a check from its pending work to its results and reporters. A runner executes its task runs. */
export class EvalSession implements EvalInfo {
  readonly name: string;
  readonly file: string;
  readonly evalToRun: EvalToRun;
  readonly files: OutputFiles;
  readonly pending: PendingWork;
  readonly #context: EvalSessionContext;
  readonly #id: string;
  #reporters: EvalReporters | undefined;
  #participants: Participants | undefined;
  #prepared: PreparedRun | undefined;
  #isRunning = false;
  #isOver = false;
  #summary: RunSummary | undefined;

  /** Throws UsageError if a reporter cannot be created. */
  static async create(
    { evalToRun, files }: EvalOutput,
    pending: PendingWork,
    context: EvalSessionContext,
  ): Promise<EvalSession> {
    const session = new EvalSession(evalToRun, files, pending, context);
    session.#reporters = await session.#createReporters();
    return session;
  }

  private constructor(
    evalToRun: EvalToRun,
    files: OutputFiles,
    pending: PendingWork,
    context: EvalSessionContext,
  ) {
    const { plan, redactor } = evalToRun;
    this.name = redactor.text(plan.name);
    this.file = plan.file;
    this.evalToRun = evalToRun;
    this.files = files;
    this.pending = pending;
    this.#context = context;
    this.#id = pending.decision.previous?.record.id ?? randomUUID();
  }

  /**
   * Whether an earlier run, which is resumed, has done everything, and its journal says so. Without `run-ended` it
   * goes through preflight once more, to write its end.
   */
  get isDone(): boolean {
    return this.pending.decision.previous?.isFinished === true && this.pending.work.remaining === 0;
  }

  get isStdoutTaken(): boolean {
    return this.#reporters?.isStdoutTaken === true;
  }

  /** Whether some reporter was still at work when the check stopped waiting for it. */
  get hasStuckReporters(): boolean {
    return this.#reporters?.hasStuck === true;
  }

  /** Assembles agents, judge and extensions, and returns warnings of budgets that nothing measures. */
  async assemble(problems: Problems): Promise<Problems> {
    const { suite, plan, redactor, definitions, options } = this.evalToRun;
    const { environment, emit } = this.#context;
    const prices = new Prices(suite.prices?.models);
    const redact = (text: string) => redactor.text(text);
    this.#participants = await assembleParticipants(
      {
        suite,
        definitions,
        tasks: plan.tasks.map((task) => task.definition),
        control: options.control,
        prices,
        environment: { ...environment, ...makeRunMarkVariables(this.#id) },
        redact,
        onProgress: (message) => emit({ type: 'progress', text: redact(message) }),
      },
      problems,
    );
    return findUnmeasuredBudgets(options.budget, this.#participants, prices, environment);
  }

  /** Lets the runner check that everything is there. After `assemble`. */
  async preflight(runner: Runner, problems: Problems, signal: AbortSignal): Promise<void> {
    const { evalToRun, files, pending } = this;
    const participants = this.#participants;
    if (!participants) throw new Error(`the eval ${this.file} is not assembled`);
    const request = { id: this.#id, evalToRun, participants, pending, files };
    this.#prepared = await runner.prepare(request, problems, signal);
  }

  /** Whether there are results or a journal of an earlier run, which this one would replace. */
  get hasEarlier(): boolean {
    const { results, journal } = this.files;
    if (this.pending.decision.previous) return false;
    return existsSync(results) || existsSync(journal);
  }

  /** Removes what an earlier run left, unless this one resumes it; an unfinished one is moved aside. Throws UsageError. */
  async removeEarlier(): Promise<void> {
    // It is only reported, and may have been by now: another eval has begun.
    if (this.isDone) return;
    const { previous, toMoveAside } = this.pending.decision;
    if (toMoveAside) {
      const moved = await moveOutputAside(this.files);
      this.#context.emit({ type: 'moved-aside', eval: this, moved, ...toMoveAside });
    }
    if (!previous) {
      // The journal of an eval alone is overwritten when it begins; of several evals, one may never begin.
      if (this.#context.isOneOfSeveral) await removeEarlierOutput(this.files);
      else await removeEarlierFile(this.files.results);
    }
    await this.#reporters?.removeEarlier();
  }

  /** `earlier` is about what earlier runs left. Throws WorkspaceError, JournalError or UsageError if it cannot begin. */
  async run(signal: AbortSignal, earlier: Omit<RunHooks, 'onEvent'>): Promise<EvalResult> {
    const { emit } = this.#context;
    emit({ type: 'eval-started', eval: this });
    this.#reporters?.begin();
    if (this.pending.decision.previous) {
      for await (const event of readJournal(this.files.journal)) {
        emit({ type: 'journal', eval: this, event, isReplayed: true });
      }
    }
    if (this.isDone) {
      emit({ type: 'nothing-left', eval: this });
      return this.#finish({ interrupted: false, bailed: false });
    }
    // Until #isRunning is set, interrupt() does not reach the runner: so the signal is asked.
    if (signal.aborted || !this.#prepared)
      return this.endWithoutRunning('the check was interrupted');
    this.#isRunning = true;
    const causes = await this.#prepared.execute({
      ...earlier,
      onEvent: (event) => {
        emit({ type: 'journal', eval: this, event, isReplayed: false });
        this.#reporters?.onEvent(event);
      },
    });
    if (!causes) return this.#handOver();
    return causes.hasNoJournal ? this.#endUnbegun(causes) : this.#finish(causes);
  }

  /** Ends the eval after an interruption or a budget kept its first task run from starting. */
  async #endUnbegun({ interrupted, budget }: StopCauses): Promise<EvalResult> {
    this.#isOver = true;
    if (interrupted || !budget) return this.endWithoutRunning('the check was interrupted');
    const reason = describeReachedBudget(budget);
    // Several evals have a closing report with the reason.
    if (!this.#context.isOneOfSeveral) {
      const text = `Stopped early: ${reason}; no task run has begun, and the files of the earlier run stay as they were`;
      this.#context.emit({ type: 'message', text });
    }
    return this.endWithoutRunning(reason);
  }

  /** Ends the eval with the status `not-run`. */
  async endWithoutRunning(reason: string): Promise<EvalResult> {
    this.#context.emit({ type: 'eval-not-run', eval: this, reason });
    return this.#end({ status: 'not-run', reason });
  }

  interrupt(times: number): void {
    if (this.#isOver) this.#reporters?.giveUp();
    // Before and after the run there is nothing to clean up.
    if (!this.#isRunning || this.#isOver) return;
    this.#context.emit({ type: 'interrupted', eval: this, times });
    this.#prepared?.interrupt();
  }

  /** Called whether it has run or not. */
  async close(): Promise<void> {
    await this.#prepared?.close();
    await this.#participants?.extensions.close();
  }

  async #handOver(): Promise<EvalResult> {
    this.#isOver = true;
    const taskRuns = this.pending.work.remaining;
    this.#context.emit({ type: 'handed-over', eval: this, taskRuns });
    return this.#end({ status: 'handed-over', reason: 'workers have it' });
  }

  async #finish(causes: StopCauses): Promise<EvalResult> {
    const { emit } = this.#context;
    const { results, journal } = this.files;
    const { control } = this.evalToRun.options;
    const { budget, failure } = causes;
    this.#isOver = true;
    let totals: ResultTotals;
    try {
      totals = await writeResults(journal, results);
    } catch (error) {
      const { reason } = explainWriteFailure(error);
      const message = failure?.message ?? `cannot write ${results}: ${reason}`;
      emit({ type: 'eval-failed', eval: this, message, hasResults: false });
      return this.#end({ status: 'failed', isBroken: true });
    }
    const summary = await summarizeFile(results);
    const endReason = decideEndReason(causes);
    this.#summary = { end: endReason, ...(budget && { budget }), summary, totals };
    emit({ type: 'eval-finished', eval: this, run: this.#summary });
    if (failure)
      emit({ type: 'eval-failed', eval: this, message: failure.message, hasResults: true });
    const { status, exitCode } = decideStatus(causes, totals, control);
    const report = async () =>
      this.#reporters?.finish({
        end: endReason,
        exitCode,
        resultsPath: results,
        journalPath: journal,
      });
    return this.#end({ status, totals, ...(failure && { isBroken: true as const }) }, report);
  }

  async #end(
    ending: Omit<EvalResult, 'name' | 'file'>,
    report: () => Promise<void> = async () => {},
  ): Promise<EvalResult> {
    const { resultsList } = this.#context;
    const result: EvalResult = { name: this.name, file: this.file, ...ending };
    await (resultsList ? resultsList.add(result, report) : report());
    return result;
  }

  #createReporters(): Promise<EvalReporters> {
    const { suite, evalFolder, redactor, options } = this.evalToRun;
    const { environment, emit, openOutput, addsGithubReporter, renderReport, resultsList } =
      this.#context;
    return EvalReporters.create(options.reporters, {
      environment,
      evalFile: suite.eval.source.path,
      evalFolder,
      resultsPath: this.files.results,
      openOutput,
      addsGithubReporter,
      ...(resultsList && { jsonOutput: resultsList.resultsOutput }),
      redactor,
      renderReport: () => (this.#summary ? renderReport(this, this.#summary) : ''),
      onFailure: (message) =>
        emit({ type: 'reporter-failed', eval: this, message: redactor.text(message) }),
    });
  }
}

async function summarizeFile(path: string): Promise<Summary> {
  return summarize(poolFile(await openResultsFile(path)));
}
