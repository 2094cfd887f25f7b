import { plural, quoteForShell } from '../../base/text.js';
import type { ProblemReport } from '../../config/problems/problem.js';
import { displayPath } from '../../config/yaml/data-file.js';
import type { SpentBudget } from '../../journal/run-events.js';
import type { QueueAddress } from '../../queue/queue-use.js';
import { queueDefaults } from '../../run/session/check-option-table.js';
import { type ResolvedOptions, recordOptions } from '../../run/session/check-options.js';
import {
  type CheckEvent,
  describeMovedAside,
  type EvalInfo,
  type RunSummary,
} from '../../run/session/check-session.js';
import type { CheckCommandOptions } from '../check-options.js';
import { jsonWithoutSecrets, withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { shownProgram } from '../shown-program.js';
import { type CommandIo, jsonText, type Output, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';
import { type CheckDisplay, createCheckDisplay } from './live/check-display.js';
import { summarizePlan } from './live/plan-summary.js';
import { type CheckEnd, renderClosingReport } from './report/final-report.js';

interface CheckTerminalOptions {
  io: CommandIo;
  options: CheckCommandOptions;
  /** How far the budgets are spent, if there are some. */
  budgetState(): readonly SpentBudget[];
}

type EventOf<Type extends CheckEvent['type']> = Extract<CheckEvent, { type: Type }>;

/** Shows a check on the terminal: says in words what the engine reports as events. */
export class CheckTerminal {
  readonly #io: CommandIo;
  readonly #options: CheckCommandOptions;
  readonly #budgetState: () => readonly SpentBudget[];
  readonly #displays = new Map<EvalInfo, CheckDisplay>();
  #evals: readonly EvalInfo[] = [];
  #isOfSeveral = false;
  /** The eval that runs, or has run last. */
  #current: EvalInfo | undefined;

  constructor({ io, options, budgetState }: CheckTerminalOptions) {
    this.#io = io;
    this.#options = options;
    this.#budgetState = budgetState;
  }

  /** Whether some eval has begun, and with it a display that ends with a report. */
  get hasBegun(): boolean {
    return this.#current !== undefined;
  }

  show(event: CheckEvent): void {
    switch (event.type) {
      case 'problems':
        this.#showProblems(event);
        break;
      case 'planned':
        this.#showPlan(event);
        break;
      case 'progress':
        this.#shown?.note(event.text);
        break;
      case 'message':
        this.#shown?.printLine(event.text);
        break;
      case 'workers':
        this.#shown?.workers(event.now);
        break;
      case 'worker-refused':
        this.#shown?.refused(event.worker, event.reason);
        break;
      case 'moved-aside':
        this.#showMovedAside(event);
        break;
      case 'eval-started':
        this.#begin(event.eval);
        break;
      case 'journal': {
        const display = this.#displayFor(event.eval);
        if (event.isReplayed) display.replay(event.event);
        else display.onEvent(event.event);
        break;
      }
      case 'nothing-left':
        this.#displayFor(event.eval).printLine(
          'Nothing left to do: every task run of that check has a verdict.',
        );
        break;
      case 'interrupted':
        this.#displayFor(event.eval).interrupted(event.times);
        break;
      case 'handed-over':
        this.#showHandOver(event);
        break;
      case 'eval-not-run':
        this.#displays.get(event.eval)?.stop();
        break;
      case 'eval-finished':
        this.#displayFor(event.eval).finish(describeEnd(event.eval, event.run));
        break;
      case 'eval-failed':
        this.#showFailure(event);
        break;
      case 'reporter-failed':
        this.#io.stderr.write(this.#formatError(event.message));
        break;
      case 'ended':
        this.#showEnds(event);
        break;
    }
  }

  /** The report for people, as plain text for a file. */
  renderReport(info: EvalInfo, run: RunSummary): string {
    return this.#displayFor(info).plainReport(describeEnd(info, run));
  }

  /** Leaves the terminal as it was. */
  stop(): void {
    for (const display of this.#displays.values()) display.stop();
  }

  get #shown(): CheckDisplay | undefined {
    const info = this.#current ?? this.#evals[0];
    return info && this.#displayFor(info);
  }

  #displayFor(info: EvalInfo): CheckDisplay {
    const display = this.#displays.get(info) ?? this.#createDisplay(info);
    this.#displays.set(info, display);
    return display;
  }

  #createDisplay(info: EvalInfo): CheckDisplay {
    const { path, redactor, options } = info.evalToRun;
    const { verbose } = this.#options;
    return createCheckDisplay({
      io: this.#io,
      isStdoutTaken: info.isStdoutTaken,
      ...(this.#isOfSeveral && { title: formatTitle(info) }),
      repeat: ['check', path, ...formatOptionWords(options)],
      verbose,
      control: options.control,
      redact: (text) => redactor.text(text),
      plan: summarizePlan(info.pending, options),
      budget: this.#budgetState,
    });
  }

  #showProblems({ stage, report, isFatal }: EventOf<'problems'>): void {
    if (isFatal) {
      this.stop();
      this.#showRefusal(report);
    } else if (stage === 'preflight') {
      this.#shown?.warn(report);
    } else {
      const { stderr, environment } = this.#io;
      const text = `${renderProblems(report, styleFor(stderr, environment))}\n`;
      printText(stderr, withoutSecrets(text, environment));
    }
  }

  #showRefusal(report: ProblemReport): void {
    const { stdout, stderr, environment } = this.#io;
    if (this.#options.output === 'json') {
      stdout.write(jsonWithoutSecrets(jsonText(problemsAsData(report)), environment));
      return;
    }
    const style = styleFor(stderr, environment);
    const text = `${renderProblems(report, style)}\n${style('bold', countProblems(report))}\n`;
    printText(stderr, withoutSecrets(text, environment));
  }

  #showPlan({ evals, skipped }: EventOf<'planned'>): void {
    const { stderr } = this.#io;
    this.#evals = evals;
    this.#isOfSeveral = evals.length + skipped.length > 1;
    // From here on there is something on the terminal.
    if (evals[0]) this.#displayFor(evals[0]);
    for (const { name, file, reason } of skipped) {
      printText(stderr, `${terminalLine(`Skipped ${name} (${file}): ${reason}`)}\n`);
    }
    for (const { file, pending } of evals) {
      const { note } = pending.decision;
      if (note === undefined) continue;
      const prefix = this.#isOfSeveral ? `${file}: ` : '';
      printText(stderr, `${terminalLine(prefix)}${note}\n`);
    }
  }

  #showMovedAside(event: EventOf<'moved-aside'>): void {
    const display = this.#displayFor(event.eval);
    for (const line of describeMovedAside(event, displayPath)) display.printLine(line);
    const out = terminalLine(quoteForShell(displayPath(event.moved.results)));
    display.printLine(`To continue it all the same: --resume --force --out ${out}`);
  }

  #begin(info: EvalInfo): void {
    this.#current = info;
    if (!this.#isOfSeveral) return;
    // What the display showed before was about all evals.
    this.#displays.get(info)?.stop();
    this.#displays.delete(info);
    const { stderr, environment } = this.#io;
    stderr.write(`\n${styleFor(stderr, environment)('bold', formatTitle(info))}\n`);
  }

  #showHandOver({ eval: info, taskRuns }: EventOf<'handed-over'>): void {
    const { path, options } = info.evalToRun;
    this.#displays.get(info)?.stop();
    const place = formatPlaceWords(options.out, this.#options.queueUse?.address);
    const words = ['check', path, ...formatOptionWords(options), ...place, '--resume'];
    const again = [shownProgram(this.#io.environment), ...words.map(quoteForShell)].join(' ');
    const output = this.#chooseOutput(info.isStdoutTaken);
    output.write(`Workers have ${plural(taskRuns, 'task run')} to do. Come back with:\n`);
    output.write(`  ${terminalLine(again)}\n`);
  }

  #showFailure({ eval: info, message, hasResults }: EventOf<'eval-failed'>): void {
    if (!hasResults) this.#displays.get(info)?.stop();
    // What is done is in the journal; a control run is quickly done again.
    const next = info.evalToRun.options.control
      ? ''
      : '; then continue with the same command and --resume';
    printText(this.#io.stderr, this.#formatError(`${message}${next}`));
  }

  #showEnds({ results }: EventOf<'ended'>): void {
    if (!this.#isOfSeveral) return;
    const output = this.#chooseOutput(this.#evals.some(({ isStdoutTaken }) => isStdoutTaken));
    const style = styleFor(output, this.#io.environment);
    printText(output, `\n${renderClosingReport(results, this.#options.control, style)}`);
  }

  #chooseOutput(isStdoutTaken: boolean): Output {
    return isStdoutTaken ? this.#io.stderr : this.#io.stdout;
  }

  #formatError(message: string): string {
    const style = styleFor(this.#io.stderr, this.#io.environment);
    return `${style('red', 'error:')} ${terminalLine(message)}\n`;
  }
}

function formatTitle({ name, file }: EvalInfo): string {
  return terminalLine(`${name} (${file})`);
}

function describeEnd({ files }: EvalInfo, run: RunSummary): CheckEnd {
  return {
    resultsPath: displayPath(files.results),
    journalPath: displayPath(files.journal),
    ...run,
  };
}

/**
 * The words of a command line that would run the same again, for people to paste. Which task runs failed is
 * not part of it; in place of `--runs auto` stands the largest number of runs that there can be.
 */
function formatOptionWords(options: ResolvedOptions): string[] {
  const recorded = recordOptions(options, {});
  const { 'rerun-failed': _, 'runs-width': __, 'runs-max': most, shard, ...others } = recorded;
  // With a number of runs, a plan would be cut in another way than with --runs auto.
  const all =
    most === undefined ? { ...others, ...(shard && { shard }) } : { ...others, runs: most };
  const words = Object.entries(all).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((single) => [`--${name}`, String(single)]);
  });
  const { shardDurations } = options;
  return shardDurations.length > 0 && most === undefined
    ? [...words, '--shard-durations', ...shardDurations]
    : words;
}

/** The words that say where a run handed to workers is, and where its results go. */
function formatPlaceWords(out: string | undefined, queue: QueueAddress | undefined): string[] {
  return [
    ...(out === undefined ? [] : ['--out', out]),
    ...(queue ? ['--queue', queue.shown] : []),
    ...(queue && queue.prefix !== queueDefaults.prefix ? ['--queue-prefix', queue.prefix] : []),
  ];
}
