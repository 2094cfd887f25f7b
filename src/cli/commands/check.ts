import { randomUUID } from 'node:crypto';
import { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { readJournal } from '../../events/journal-reader.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { Limits } from '../../limits/limits.js';
import { localLimits } from '../../limits/local-limits.js';
import { Prices } from '../../prices/prices.js';
import { runIdVariable } from '../../processes/process-marks.js';
import type { ResultTotals } from '../../results/results-schema.js';
import { writeResults } from '../../results/write-results.js';
import { Budget } from '../../run/budget.js';
import { Evaluation, type EvaluationEnd } from '../../run/evaluation.js';
import { JournalError } from '../../run/journal-error.js';
import { limitSettings } from '../../run/limit-settings.js';
import { preflight } from '../../run/preflight/preflight.js';
import { verificationFor } from '../../run/preflight/verification.js';
import { pricedAgent } from '../../run/priced-agent.js';
import { WorkspaceError } from '../../run/workspace.js';
import { explainWriteFailure } from '../../run/write-failure.js';
import { identityOf } from '../check/agent-identity.js';
import { type CheckDisplay, createCheckDisplay } from '../check/check-display.js';
import { checkExitCode, exitReasonOf } from '../check/check-exit-code.js';
import { lockOutput, removeOldResults } from '../check/claimed-output.js';
import { earlierResults } from '../check/earlier-results.js';
import type { CheckEnd } from '../check/final-report.js';
import { type OutputFiles, outputFiles } from '../check/output-files.js';
import { refuseWithoutWorkspace, reportPreflight } from '../check/preflight-problems.js';
import { type PreparedCheck, prepareCheck } from '../check/prepared-check.js';
import { optionWords } from '../check/recorded-options.js';
import { CheckReporters } from '../check/reporters/check-reporters.js';
import { inertIo } from '../check/reporters/inert-io.js';
import { leaveProcess } from '../check/reporters/leave-process.js';
import { refuseReportFiles } from '../check/reporters/report-files.js';
import { refuse, showWarnings } from '../check/show-problems.js';
import { summarizedPlan } from '../check/summarized-plan.js';
import { unmeasuredBudgets } from '../check/unmeasured-budgets.js';
import { setupsOf, variantsToPrepare } from '../check/variant-setups.js';
import { type WorkToDo, workToDo } from '../check/work-to-do.js';
import { type CheckOptions, checkOptionsOf } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { withShardDurations } from '../shard-durations.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { onStopSignal } from '../until-stopped.js';

export async function run(given: CommandRun): Promise<number> {
  const checked = checkOptionsOf(given);
  const options = { ...checked, plan: await withShardDurations(checked.plan, given) };
  const call = { ...given, io: inertIo(given.io) };
  const problems = new Problems();
  const prepared = prepareCheck(call, options, problems);
  if (!prepared) return refuse(call.io, options, problems);
  showWarnings(call.io, options, problems);
  const files = outputFiles(prepared.plan.name, options);
  refuseReportFiles(options.reporters, files, earlierResults(options));
  const lock = await lockOutput(files);
  const command = new CheckCommand(call, given.io, options, prepared, files);
  try {
    return await command.run(problems);
  } finally {
    await lock.release();
    if (command.leavesWorkBehind) leaveProcess(given.io);
  }
}

class CheckCommand {
  readonly #call: CommandRun;
  readonly #ownIo: CommandIo;
  readonly #options: CheckOptions;
  readonly #prepared: PreparedCheck;
  readonly #files: OutputFiles;
  readonly #preflight = new AbortController();
  readonly #limits: Limits;
  #evaluation: Evaluation | undefined;
  #extensions: Extensions | undefined;
  #display: CheckDisplay | undefined;
  #reporters: CheckReporters | undefined;
  #isOver = false;
  #end: CheckEnd;

  /** `ownIo` is that of the call, and reaches GitHub as it is. */
  constructor(
    call: CommandRun,
    ownIo: CommandIo,
    options: CheckOptions,
    prepared: PreparedCheck,
    files: OutputFiles,
  ) {
    this.#call = call;
    this.#ownIo = ownIo;
    this.#options = options;
    this.#prepared = prepared;
    this.#files = files;
    const { limits } = prepared.suite.eval.data.config;
    this.#limits = localLimits(limitSettings(limits, options.limits));
    this.#end = {
      resultsPath: shownName(files.results),
      journalPath: shownName(files.journal),
      exitReason: 'finished',
    };
  }

  /** Of reporters that are not ours, or do not end. */
  get leavesWorkBehind(): boolean {
    const { reporters } = this.#options;
    return reporters.some(({ kind }) => 'module' in kind) || this.#reporters?.hasStuck === true;
  }

  async run(problems: Problems): Promise<number> {
    try {
      return await this.#run(problems);
    } catch (error) {
      this.#display?.stop();
      const isOurs = error instanceof JournalError || error instanceof WorkspaceError;
      throw isOurs ? new UsageError(error.message) : error;
    } finally {
      // It may not have come to an evaluation that ends them.
      await this.#extensions?.close();
      await this.#limits.close();
    }
  }

  async #run(problems: Problems): Promise<number> {
    const { io } = this.#call;
    const { suite, plan, redactor } = this.#prepared;
    const { control, parallel, bail, keepWorkdir } = this.#options;
    const work = await workToDo(this.#prepared, this.#options, this.#files);
    const { record, earlier } = work;
    const { previous } = earlier;
    const budget = new Budget(this.#options.budget, previous?.spent);
    const reporters = await this.#createReporters();
    this.#reporters = reporters;
    const display = this.#show(work, reporters, budget);
    this.#display = display;
    onStopSignal((times) => this.#interrupt(times, display));
    if (earlier.note !== undefined) io.stderr.write(`${earlier.note}\n`);
    if (previous?.isComplete && work.work.left === 0) {
      await replay(this.#files.journal, display);
      await reporters.removeOld();
      return this.#finish({ interrupted: false, bailed: false }, display, reporters);
    }

    const prices = new Prices(suite.prices?.models);
    const variants = await variantsToPrepare(this.#prepared, { control, prices });
    const id = previous?.evaluation.id ?? randomUUID();
    const redact = (text: string) => redactor.text(text);
    const verification = await verificationFor(
      suite,
      plan.tasks.map((task) => task.definition),
      {
        environment: { ...io.environment, [runIdVariable]: id },
        redact,
        onProgress: (message) => display.note(message),
      },
      problems,
    );
    this.#extensions = verification.extensions;
    const judge = verification.judge && pricedAgent(verification.judge, prices);
    const unmeasured = unmeasuredBudgets(
      this.#options.budget,
      { variants, judge },
      prices,
      io.environment,
    );
    if (unmeasured.report({ strict: this.#options.strict }).errors > 0) {
      display.stop();
      return refuse(io, this.#options, unmeasured);
    }
    showWarnings(io, this.#options, unmeasured);
    display.note('Checking the servers and the agent');
    const ready = await preflight({
      variants,
      verification,
      environment: io.environment,
      redact,
      signal: this.#preflight.signal,
    }).catch(refuseWithoutWorkspace);
    if (!this.#preflight.signal.aborted) {
      reportPreflight(ready, verification, problems);
      if (problems.report({ strict: this.#options.strict }).errors > 0) {
        display.stop();
        return refuse(io, this.#options, problems);
      }
      if (previous) await replay(this.#files.journal, display);
    }
    // Asked last, right before there is something else to interrupt.
    if (this.#preflight.signal.aborted) {
      display.stop();
      return exitCodes.interrupted;
    }
    this.#evaluation = new Evaluation({
      plan,
      work: work.work,
      evalPath: suite.eval.source.path,
      setups: setupsOf(ready),
      ...(judge && { judge }),
      extensions: verification.extensions,
      limits: this.#limits,
      record: {
        id,
        ...(judge && { judge: identityOf(judge, ready.judge) }),
        ...record,
      },
      journalPath: this.#files.journal,
      redactor,
      environment: io.environment,
      parallel,
      ...(bail !== undefined && { bail }),
      budget,
      ...(keepWorkdir && { keepWorkdir }),
      ...(previous && { previous, changed: earlier.changed, isForced: this.#options.force }),
      onEvent: (event) => {
        display.onEvent(event);
        reporters.onEvent(event);
      },
    });
    if (!previous) await removeOldResults(this.#files.results);
    await reporters.removeOld();
    return this.#finish(await this.#evaluation.run(), display, reporters);
  }

  async #finish(
    end: EvaluationEnd,
    display: CheckDisplay,
    reporters: CheckReporters,
  ): Promise<number> {
    const { results, journal } = this.#files;
    this.#isOver = true;
    let totals: ResultTotals;
    try {
      totals = await writeResults(journal, results);
    } catch (error) {
      display.stop();
      const { reason } = explainWriteFailure(error);
      this.#tellError(end.failure?.message ?? `cannot write ${results}: ${reason}`);
      return exitCodes.failed;
    }
    const { budget } = end;
    this.#end = { ...this.#end, exitReason: exitReasonOf(end), ...(budget && { budget }) };
    display.finish(this.#end);
    if (end.failure) this.#tellError(end.failure.message);
    const exitCode = checkExitCode(end, totals, this.#options.control);
    await reporters.finish({
      end: this.#end.exitReason,
      exitCode,
      resultsPath: results,
      journalPath: journal,
    });
    return exitCode;
  }

  #tellError(message: string): void {
    const { stderr, environment } = this.#call.io;
    const style = styleFor(stderr, environment);
    stderr.write(`${style('red', 'error:')} ${terminalLine(message)}\n`);
  }

  #createReporters(): Promise<CheckReporters> {
    const { suite, evalFolder, redactor } = this.#prepared;
    return CheckReporters.create(this.#options.reporters, {
      io: this.#ownIo,
      inertIo: this.#call.io,
      evalFile: suite.eval.source.path,
      evalFolder,
      resultsPath: this.#files.results,
      redact: (text) => redactor.text(text),
      finalReport: () => this.#display?.plainReport(this.#end) ?? '',
    });
  }

  #interrupt(times: number, display: CheckDisplay): void {
    if (this.#isOver) this.#reporters?.giveUp();
    this.#preflight.abort();
    // Before it there is nothing to clean up, and after it neither.
    if (!this.#evaluation || this.#isOver) return;
    display.interrupted(times);
    this.#evaluation.interrupt();
  }

  #show(work: WorkToDo, { isStdoutTaken }: CheckReporters, budget: Budget): CheckDisplay {
    const { redactor } = this.#prepared;
    const { io, arguments: args } = this.#call;
    const { verbose, control } = this.#options;
    return createCheckDisplay({
      io,
      isStdoutTaken,
      repeat: ['proctor', 'check', args[0] ?? '', ...optionWords(this.#options)],
      verbose,
      control,
      redact: (text) => redactor.text(text),
      plan: summarizedPlan(work, this.#options),
      budget: () => budget.state,
    });
  }
}

async function replay(journal: string, display: CheckDisplay): Promise<void> {
  for await (const event of readJournal(journal)) display.replay(event);
}
