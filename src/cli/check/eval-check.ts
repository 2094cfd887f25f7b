import { randomUUID } from 'node:crypto';
import { plural } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import type { SpentBudget } from '../../events/budget.js';
import { readJournal } from '../../events/journal-reader.js';
import type { ResultTotals } from '../../results/results-schema.js';
import { writeResults } from '../../results/write-results.js';
import type { EvaluationEnd } from '../../run/journal/run-recorder.js';
import type { CommandIo } from '../io.js';
import { shownProgram } from '../shown-program.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { printText } from '../wrapped-text.js';
import { type AssembledEval, assembleEval } from './assembled-eval.js';
import { checkExitCode, exitReasonOf } from './check-exit-code.js';
import { moveOldOutputAside, removeOldOutput, removeOldResults } from './claimed-output.js';
import { type EvalEnd, statusOf } from './eval-end.js';
import type { EvalOutput } from './eval-outputs.js';
import type { Evaluator, ReadyEval } from './evaluator.js';
import { type CheckDisplay, createCheckDisplay } from './live/check-display.js';
import { summarizedPlan } from './live/plan-summary.js';
import { optionWords, placeWords } from './recorded-options.js';
import type { CheckEnd } from './report/final-report.js';
import { CheckReporters } from './reporters/check-reporters.js';
import type { ListedResults } from './reporters/listed-results.js';
import { shellWord } from './wording.js';
import type { WorkToDo } from './work-to-do.js';

/** What the evals of a check have in common. */
interface EvalCheckContext {
  io: CommandIo;
  /** That of the call, which reaches GitHub as it is. */
  ownIo: CommandIo;
  budget: () => readonly SpentBudget[];
  /** There are others: people have to be told which one they look at. */
  isOneOfSeveral: boolean;
  /** Where results go that are asked for on stdout. */
  listed?: ListedResults;
}

/** An eval of a check: what there is to do, and everything that people and programs are told of it. */
export class EvalCheck {
  readonly name: string;
  readonly file: string;
  readonly #output: EvalOutput;
  readonly #toDo: WorkToDo;
  readonly #context: EvalCheckContext;
  readonly #id: string;
  #reporters: CheckReporters | undefined;
  #display: CheckDisplay | undefined;
  #assembled: AssembledEval | undefined;
  #ready: ReadyEval | undefined;
  #isRunning = false;
  #isOver = false;
  #end: CheckEnd;

  /** Throws UsageError. */
  static async create(
    output: EvalOutput,
    toDo: WorkToDo,
    context: EvalCheckContext,
  ): Promise<EvalCheck> {
    const check = new EvalCheck(output, toDo, context);
    check.#reporters = await check.#createReporters();
    return check;
  }

  private constructor(output: EvalOutput, toDo: WorkToDo, context: EvalCheckContext) {
    const { plan, redactor } = output.prepared;
    this.name = redactor.text(plan.name);
    this.file = plan.file;
    this.#output = output;
    this.#toDo = toDo;
    this.#context = context;
    this.#id = toDo.earlier.previous?.evaluation.id ?? randomUUID();
    this.#end = {
      resultsPath: shownName(output.files.results),
      journalPath: shownName(output.files.journal),
      exitReason: 'finished',
    };
  }

  /** By an earlier run which is resumed: there is nothing to do. */
  get isDone(): boolean {
    return this.#toDo.earlier.previous?.isComplete === true && this.#toDo.work.left === 0;
  }

  /** By reporters: reports for people go to stderr. */
  get isStdoutTaken(): boolean {
    return this.#reporters?.isStdoutTaken === true;
  }

  /** They do not end. */
  get hasStuckReporters(): boolean {
    return this.#reporters?.hasStuck === true;
  }

  /** What people see; shown from the first time on that somebody asks for it. */
  get display(): CheckDisplay {
    this.#display ??= this.#createDisplay();
    return this.#display;
  }

  stopDisplay(): void {
    this.#display?.stop();
  }

  /** Starts nobody. `note` tells of what takes its time later. */
  async assemble(problems: Problems, note: (text: string) => void): Promise<AssembledEval> {
    const { redactor } = this.#output.prepared;
    const { environment } = this.#context.io;
    const onProgress = (message: string) => note(redactor.text(message));
    const around = { id: this.#id, environment, onProgress };
    this.#assembled = await assembleEval(this.#output.prepared, around, problems);
    return this.#assembled;
  }

  /** After `assemble`. */
  async makeReady(evaluator: Evaluator, problems: Problems, signal: AbortSignal): Promise<void> {
    if (!this.#assembled) throw new Error(`nobody takes part in the eval ${this.file}`);
    const { prepared, files } = this.#output;
    const each = { id: this.#id, prepared, assembled: this.#assembled, toDo: this.#toDo, files };
    this.#ready = await evaluator.makeReady(each, problems, signal);
  }

  /** What an earlier run left, which is not resumed. Throws UsageError. */
  async removeOld(): Promise<void> {
    const { files } = this.#output;
    const { previous, movedAside } = this.#toDo.earlier;
    if (movedAside) {
      const { done, uncleaned } = movedAside;
      const moved = await moveOldOutputAside(files);
      this.display.tell(
        `The last run did not finish (${done}), and what it ran has changed since: its journal is now ${terminalLine(shownName(moved.journal))}.`,
      );
      if (uncleaned !== undefined) {
        this.display.tell(terminalLine(`It ${uncleaned}, which runs if you continue it.`));
      }
      const out = terminalLine(shellWord(shownName(moved.results)));
      this.display.tell(`To continue it all the same: --resume --force --out ${out}`);
    }
    if (!previous) {
      if (this.#context.isOneOfSeveral) await removeOldOutput(files);
      else await removeOldResults(files.results);
    }
    await this.#reporters?.removeOld();
  }

  /** Throws WorkspaceError or JournalError if it cannot begin. */
  async run(signal: AbortSignal): Promise<EvalEnd> {
    if (this.#context.isOneOfSeveral) this.#announce();
    const { display } = this;
    this.#reporters?.begin();
    if (this.#toDo.earlier.previous) {
      for await (const event of readJournal(this.#output.files.journal)) display.replay(event);
    }
    if (this.isDone) {
      display.tell('Nothing left to do: every task run of that check has a verdict.');
      return this.#finish({ interrupted: false, bailed: false });
    }
    // Asked last, right before there is something else to interrupt.
    if (signal.aborted || !this.#ready) return this.leaveOut('the check was interrupted');
    this.#isRunning = true;
    const end = await this.#ready.run((event) => {
      display.onEvent(event);
      this.#reporters?.onEvent(event);
    });
    return end ? this.#finish(end) : this.#handOver();
  }

  /** It does not run. */
  async leaveOut(reason: string): Promise<EvalEnd> {
    this.stopDisplay();
    const end: EvalEnd = { ...this.#named, status: 'not-run', reason };
    await this.#context.listed?.add(end);
    return end;
  }

  interrupt(times: number): void {
    if (this.#isOver) this.#reporters?.giveUp();
    // Before it there is nothing to clean up, and after it neither.
    if (!this.#isRunning || this.#isOver) return;
    this.display.interrupted(times);
    this.#ready?.interrupt();
  }

  /** Whether it has run or not. */
  async close(): Promise<void> {
    await this.#ready?.close();
    await this.#assembled?.verification.extensions.close();
  }

  get #named(): Pick<EvalEnd, 'name' | 'file'> {
    return { name: this.name, file: this.file };
  }

  /** Workers go on without us: there are no results yet. */
  async #handOver(): Promise<EvalEnd> {
    const { path, options } = this.#output.prepared;
    const { io, listed } = this.#context;
    this.#isOver = true;
    this.stopDisplay();
    const words = ['check', path, ...optionWords(options), ...placeWords(options), '--resume'];
    const again = [shownProgram(io.environment), ...words.map(shellWord)].join(' ');
    const output = this.isStdoutTaken ? io.stderr : io.stdout;
    output.write(
      `Workers have ${plural(this.#toDo.work.left, 'task run')} to do. Come back with:\n`,
    );
    output.write(`  ${terminalLine(again)}\n`);
    const end: EvalEnd = { ...this.#named, status: 'handed-over', reason: 'workers have it' };
    await listed?.add(end);
    return end;
  }

  async #finish(end: EvaluationEnd): Promise<EvalEnd> {
    const { results, journal } = this.#output.files;
    const { control } = this.#output.prepared.options;
    const { listed } = this.#context;
    this.#isOver = true;
    // What is done is in the journal; a control run is quickly done again.
    const next = control ? '' : '; then continue with the same command and --resume';
    let totals: ResultTotals;
    try {
      totals = await writeResults(journal, results);
    } catch (error) {
      this.stopDisplay();
      const { reason } = explainWriteFailure(error);
      const message = end.failure?.message ?? `cannot write ${results}: ${reason}`;
      this.#tellError(`${message}${next}`);
      const failed: EvalEnd = { ...this.#named, status: 'failed', isBroken: true };
      await listed?.add(failed);
      return failed;
    }
    const { budget, failure } = end;
    this.#end = { ...this.#end, exitReason: exitReasonOf(end), ...(budget && { budget }) };
    this.display.finish(this.#end);
    if (failure) this.#tellError(`${failure.message}${next}`);
    const exitCode = checkExitCode(end, totals, control);
    const told: EvalEnd = {
      ...this.#named,
      status: statusOf(exitCode),
      totals,
      ...(failure && { isBroken: true as const }),
    };
    const report = async () =>
      this.#reporters?.finish({
        end: this.#end.exitReason,
        exitCode,
        resultsPath: results,
        journalPath: journal,
      });
    await (listed ? listed.add(told, report) : report());
    return told;
  }

  /** The display of before is gone with it: what it showed was about all evals. */
  #announce(): void {
    const { stderr, environment } = this.#context.io;
    this.stopDisplay();
    this.#display = undefined;
    stderr.write(`\n${styleFor(stderr, environment)('bold', this.#title)}\n`);
  }

  get #title(): string {
    return terminalLine(`${this.name} (${this.file})`);
  }

  #tellError(message: string): void {
    const { stderr, environment } = this.#context.io;
    const style = styleFor(stderr, environment);
    printText(stderr, `${style('red', 'error:')} ${terminalLine(message)}\n`);
  }

  #createReporters(): Promise<CheckReporters> {
    const { prepared, files } = this.#output;
    const { suite, evalFolder, redactor, options } = prepared;
    const { io, ownIo, listed } = this.#context;
    return CheckReporters.create(options.reporters, {
      io: ownIo,
      inertIo: io,
      evalFile: suite.eval.source.path,
      evalFolder,
      resultsPath: files.results,
      redact: (text) => redactor.text(text),
      ...(listed && { jsonOutput: listed.resultsOutput }),
      finalReport: () => this.display.plainReport(this.#end),
    });
  }

  #createDisplay(): CheckDisplay {
    const { path, redactor, options } = this.#output.prepared;
    const { io, isOneOfSeveral, budget } = this.#context;
    const { verbose, control } = options;
    return createCheckDisplay({
      io,
      isStdoutTaken: this.isStdoutTaken,
      ...(isOneOfSeveral && { title: this.#title }),
      repeat: ['check', path, ...optionWords(options)],
      verbose,
      control,
      redact: (text) => redactor.text(text),
      plan: summarizedPlan(this.#toDo, options),
      budget,
    });
  }
}
