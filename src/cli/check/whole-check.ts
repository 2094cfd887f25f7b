import { reachedText } from '../../analysis/budget-text.js';
import { Problems } from '../../config/problem.js';
import { JournalError } from '../../run/journal/journal-writer.js';
import { Bail, Budget, type SpentBefore } from '../../run/schedule/stop-conditions.js';
import { WorkspaceError } from '../../run/workspace.js';
import type { CheckOptions } from '../check-options.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { onStopSignal } from '../until-stopped.js';
import { printText } from '../wrapped-text.js';
import { closingReport } from './closing-report.js';
import { EvalCheck } from './eval-check.js';
import { type EvalEnd, exitCodeOf } from './eval-end.js';
import type { EvalOutput } from './eval-outputs.js';
import type { Evaluator } from './evaluator.js';
import { NothingToRerun } from './failed-task-runs.js';
import { LocalEvaluator } from './local-evaluator.js';
import type { SkippedEval } from './prepared-evals.js';
import type { QueueUse } from './queue-use.js';
import { ListedResults } from './reporters/listed-results.js';
import { jsonOutput } from './reporters/reporter-creation.js';
import { refuse, showWarnings } from './show-problems.js';
import { type WorkToDo, workToDo } from './work-to-do.js';

interface WholeCheckOptions {
  io: CommandIo;
  /** That of the call, which reaches GitHub as it is. */
  ownIo: CommandIo;
  options: CheckOptions;
  outputs: readonly EvalOutput[];
  skipped: readonly SkippedEval[];
}

interface EvalWithWork {
  output: EvalOutput;
  toDo: WorkToDo;
}

/**
 * A check of one eval or of several. Nothing of any of them runs before everything that all of them need
 * is there; then they run one after the other.
 */
export class WholeCheck {
  readonly #io: CommandIo;
  readonly #ownIo: CommandIo;
  readonly #options: CheckOptions;
  readonly #outputs: readonly EvalOutput[];
  readonly #skipped: SkippedEval[];
  readonly #isOfSeveral: boolean;
  readonly #bail: Bail;
  readonly #stop = new AbortController();
  #evals: EvalCheck[] = [];
  #budget: Budget;
  #evaluator: Evaluator | undefined;
  #listed: ListedResults | undefined;
  #current: EvalCheck | undefined;

  constructor({ io, ownIo, options, outputs, skipped }: WholeCheckOptions) {
    this.#io = io;
    this.#ownIo = ownIo;
    this.#options = options;
    this.#outputs = outputs;
    this.#skipped = [...skipped];
    this.#isOfSeveral = outputs.length + skipped.length > 1;
    this.#bail = new Bail(options.bail);
    this.#budget = new Budget(options.budget);
    if (this.#isOfSeveral && options.output === 'json') {
      this.#listed = new ListedResults(jsonOutput(ownIo));
    }
  }

  /** Of reporters that are not ours, even if they could not be made, or do not end. */
  get leavesWorkBehind(): boolean {
    const { reporters } = this.#options;
    const hasForeign = reporters.some(({ kind }) => 'module' in kind);
    return hasForeign || this.#evals.some(({ hasStuckReporters }) => hasStuckReporters);
  }

  /** The number is the exit code. Throws UsageError. */
  async run(problems: Problems): Promise<number> {
    try {
      return await this.#run(problems);
    } catch (error) {
      this.#stopDisplays();
      throw isAboutRoom(error) ? new UsageError(error.message) : error;
    } finally {
      for (const each of this.#evals) await each.close();
      await this.#evaluator?.close();
    }
  }

  async #run(problems: Problems): Promise<number> {
    const works = await this.#worksToDo();
    this.#budget = new Budget(this.#options.budget, spentBefore(works));
    for (const { output, toDo } of works) this.#evals.push(await this.#createEval(output, toDo));
    // From here on there is something on the terminal.
    const shown = this.#evals[0]?.display;
    onStopSignal((times) => this.#interrupt(times));
    this.#tellFirst(works);
    const refused = await this.#makeReady(problems, (text) => shown?.note(text));
    if (refused !== undefined) return refused;
    for (const each of this.#evals) await each.removeOld();
    const ends = await this.#runAll();
    if (this.#isOfSeveral) await this.#close(ends);
    return exitCodeOf(ends, this.#stop.signal.aborted);
  }

  /** Of those evals that have something to do. */
  async #worksToDo(): Promise<EvalWithWork[]> {
    const written = this.#outputs.flatMap((each) => each.written);
    const works: EvalWithWork[] = [];
    let nothing: NothingToRerun | undefined;
    for (const output of this.#outputs) {
      const { prepared, files } = output;
      try {
        works.push({ output, toDo: await workToDo(prepared, files, written) });
      } catch (error) {
        if (!(error instanceof NothingToRerun)) throw error;
        nothing ??= error;
        const { name, file } = prepared.plan;
        const reason = error.message;
        this.#skipped.push({ name: prepared.redactor.text(name), file, reason });
      }
    }
    if (works.length === 0 && nothing) throw nothing;
    return works;
  }

  #createEval(output: EvalOutput, toDo: WorkToDo): Promise<EvalCheck> {
    return EvalCheck.create(output, toDo, {
      io: this.#io,
      ownIo: this.#ownIo,
      budget: () => this.#budget.state,
      isOneOfSeveral: this.#isOfSeveral,
      ...(this.#listed && { listed: this.#listed }),
    });
  }

  #tellFirst(works: readonly EvalWithWork[]): void {
    const { stderr } = this.#io;
    for (const { name, file, reason } of this.#skipped) {
      printText(stderr, `${terminalLine(`Skipped ${name} (${file}): ${reason}`)}\n`);
    }
    for (const { output, toDo } of works) {
      const { note } = toDo.earlier;
      if (note === undefined) continue;
      const of = this.#isOfSeveral ? `${output.prepared.plan.file}: ` : '';
      printText(stderr, `${terminalLine(of)}${note}\n`);
    }
  }

  /** The exit code, if it ends here. */
  async #makeReady(problems: Problems, note: (text: string) => void): Promise<number | undefined> {
    const open = this.#evals.filter(({ isDone }) => !isDone);
    const unmeasured = new Problems();
    // What this machine lacks, workers may have.
    const found = this.#options.queue ? new Problems() : problems;
    for (const each of open) {
      unmeasured.addFrom((await each.assemble(found, note)).unmeasured);
    }
    if (this.#hasErrors(unmeasured)) return this.#refuse(unmeasured);
    showWarnings(this.#io, this.#options, unmeasured);
    this.#evaluator = await this.#createEvaluator();
    const asked = new Problems();
    for (const each of open) {
      const of = this.#isOfSeveral ? ` of ${each.name}` : '';
      if (!this.#options.queue) note(`Checking the servers and the agent${of}`);
      await each.makeReady(this.#evaluator, asked, this.#stop.signal);
      if (!this.#stop.signal.aborted) continue;
      this.#stopDisplays();
      return exitCodes.interrupted;
    }
    problems.addFrom(asked);
    if (open.length > 0 && this.#hasErrors(problems)) return this.#refuse(problems);
    const report = asked.report();
    if (report.problems.length > 0) this.#evals[0]?.display.warn(report);
    return undefined;
  }

  async #createEvaluator(): Promise<Evaluator> {
    const spending = { budget: this.#budget, bail: this.#bail };
    const { queue: use } = this.#options;
    if (use) {
      this.#refuseDetachedBounds(use);
      const { QueueEvaluator } = await import('./queue-evaluator.js');
      const display = () => (this.#current ?? this.#evals[0])?.display;
      return QueueEvaluator.connect({ ...spending, use, display });
    }
    return new LocalEvaluator({
      ...spending,
      evals: this.#outputs.map(({ prepared }) => prepared),
      environment: this.#io.environment,
    });
  }

  /** All evals would be under way at once, and nobody there to count what they spend together. */
  #refuseDetachedBounds({ isDetached }: QueueUse): void {
    const { budget, bail } = this.#options;
    const isBounded = bail !== undefined || Object.keys(budget).length > 0;
    if (!this.#isOfSeveral || !isDetached || !isBounded) return;
    const message = '--detach with several evals does not go together with a budget or --bail';
    throw new UsageError(message, 'check the evals one by one, or leave --detach out');
  }

  #hasErrors(problems: Problems): boolean {
    return problems.report({ strict: this.#options.strict }).errors > 0;
  }

  #refuse(problems: Problems): number {
    this.#stopDisplays();
    return refuse(this.#io, this.#options, problems);
  }

  async #runAll(): Promise<EvalEnd[]> {
    const ends: EvalEnd[] = [];
    let broken: string | undefined;
    for (const each of this.#evals) {
      const reason = broken ?? this.#whyNotToBegin(each);
      if (reason !== undefined) {
        ends.push(await each.leaveOut(reason));
        continue;
      }
      this.#current = each;
      try {
        const end = await each.run(this.#stop.signal);
        ends.push(end);
        if (end.isBroken) broken = `${each.name} could not be finished`;
      } catch (error) {
        // What was done already counts: it is no longer true that nothing ran.
        if (!isAboutRoom(error) || ends.length === 0) throw error;
        broken = error.message;
        ends.push(await each.leaveOut(broken));
      }
    }
    return ends;
  }

  /** One eval alone is begun in any case, and tells itself why it starts nothing. */
  #whyNotToBegin({ isDone }: EvalCheck): string | undefined {
    if (!this.#isOfSeveral) return undefined;
    if (this.#stop.signal.aborted) return 'the check was interrupted';
    // What was done before is only told.
    if (isDone) return undefined;
    if (this.#bail.isDue) return '--bail ended the check';
    if (!this.#budget.isSpent()) return undefined;
    const { reached } = this.#budget;
    return reached && reachedText(reached);
  }

  async #close(run: readonly EvalEnd[]): Promise<void> {
    const ends = [
      ...run,
      ...this.#skipped.map((each): EvalEnd => ({ ...each, status: 'skipped' })),
    ];
    if (this.#listed) {
      for (const each of ends.slice(run.length)) await this.#listed.add(each);
      await this.#listed.finish();
    }
    const { stdout, stderr, environment } = this.#io;
    const output = this.#evals.some(({ isStdoutTaken }) => isStdoutTaken) ? stderr : stdout;
    const style = styleFor(output, environment);
    printText(output, `\n${closingReport(ends, this.#options.control, style)}`);
  }

  #stopDisplays(): void {
    for (const each of this.#evals) each.stopDisplay();
  }

  #interrupt(times: number): void {
    this.#stop.abort();
    this.#current?.interrupt(times);
  }
}

/** By all runs that are resumed: a budget is for the whole check. */
function spentBefore(works: readonly EvalWithWork[]): SpentBefore {
  const sum: SpentBefore = { cost: 0, tokens: 0, durationMs: 0 };
  for (const { toDo } of works) {
    const spent = toDo.earlier.previous?.spent;
    if (!spent) continue;
    sum.cost += spent.cost;
    sum.tokens += spent.tokens;
    sum.durationMs += spent.durationMs;
  }
  return sum;
}

function isAboutRoom(error: unknown): error is JournalError | WorkspaceError {
  return error instanceof JournalError || error instanceof WorkspaceError;
}
