import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../base/errors.js';
import type { Problem, ProblemReport } from '../config/problems/problem.js';
import type { JournalEvent } from '../journal/event.js';
import type { SpentBudget } from '../journal/run-events.js';
import type { CreateReporter, Reporter, RunEndReason } from '../reporters/reporter.js';
import type { ResultsFile } from '../results/results-file.js';
import type { ResultTotals } from '../results/schema/results-schema.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import type { ReporterRequest } from '../run/reporters/reporter-requests.js';
import { describeMovedAside } from '../run/session/check-events.js';
import type { ResolvedOptions } from '../run/session/check-options.js';
import type { CheckEvent, EvalInfo, EvalResult, RunSummary } from '../run/session/check-session.js';
import { EventQueue } from './event-queue.js';
import { InvalidEvalError, makeLoadRequest } from './load-eval.js';
import { type ReporterOption, type RunOptions, resolveOptions } from './options.js';
import { openResults, type Results } from './results.js';

/**
 * What became of an eval. `interrupted`: it was aborted while it ran. `not-run`: something before it ended the check, or a
 * budget was spent before its first task run, and results of an earlier run are there. `skipped`: the options left nothing
 * of it.
 */
export type RunStatus = 'passed' | 'failed' | 'interrupted' | 'not-run' | 'skipped';

/** A run that is over. */
export interface RunResult {
  /** The name of the eval. */
  name: string;
  /** The file of the eval. */
  file: string;
  /** The verdict: `passed` only if every task run passed. */
  status: RunStatus;
  /** Whether the status is `passed`. */
  passed: boolean;
  /** Why it was not run, or was skipped; or what broke it. */
  reason?: string;
  /** How the run ended; undefined if it did not begin. */
  end?: RunEndReason;
  /** With the end `budget`: the one that was reached. */
  budget?: SpentBudget;
  /** Counts, tokens and costs of all task runs. Undefined if there are no results. */
  totals?: ResultTotals;
  /** The results, for the functions that read them. Undefined if there are none. */
  results?: Results;
  /** Reads the task runs; without results, there are none. */
  taskRuns(): AsyncGenerator<TaskRunRecord>;
  /** The results file, absolute. Undefined without `out`. */
  resultsPath?: string;
  /** The journal, absolute. Undefined without `out`. */
  journalPath?: string;
  /** Warnings about the eval, and about what it needs. */
  problems: readonly Problem[];
  /** What became of an earlier run with the same `out`, if it was moved aside or discarded, is damaged, or is not there to resume. */
  notes: readonly string[];
  /** What reporters did wrong, which does not affect the run. */
  reporterFailures: readonly string[];
}

/** A run that goes on. */
export interface StartedRun {
  /**
   * Events of the journal as they happen, without secrets; MCP messages are not among them. They wait in memory until
   * they are read, so read them or leave the loop. Ends with the run, or throws what `result` rejects with.
   */
  readonly events: AsyncIterable<JournalEvent>;
  /** Settles as `runEval` does. */
  readonly result: Promise<RunResult>;
  /** Called once, it is like an abort of the signal: what runs is stopped and cleaned up. Twice: cleanup is stopped too. */
  interrupt(): void;
}

/**
 * Runs an eval, as `proctor check` does, and resolves when it is over, whatever its verdict. Writes nothing to the
 * terminal. Throws InvalidEvalError if the eval or what it needs has errors, and UsageError for options or files that
 * cannot be used. After an abort it resolves with the status `interrupted`. If no task run had begun by then, it rejects
 * with the reason of the signal, and files of earlier runs stay as they were.
 */
export async function runEval(path: string, options: RunOptions = {}): Promise<RunResult> {
  return new Check([path], options).runOne();
}

/**
 * Runs several evals one after the other, as one check: nothing runs before all of them are known to be fit, and budgets
 * and `bail` are for all of them. Paths may be folders. Throws what `runEval` throws.
 */
export async function runEvals(
  paths: readonly string[],
  options: RunOptions = {},
): Promise<RunResult[]> {
  return new Check(paths, options).run();
}

/** Starts an eval as `runEval` does, and returns at once: for programs that read events while it runs. */
export function startEval(path: string, options: RunOptions = {}): StartedRun {
  const events = new EventQueue<JournalEvent>();
  const check = new Check([path], options, (event) => events.push(event));
  const result = check.runOne();
  // Readers of events get the error too: it need not be handled twice.
  result.then(
    () => events.end(),
    (error: unknown) => events.fail(error),
  );
  return { events, result, interrupt: () => check.interrupt() };
}

/** One call of the engine (src/run), and what it reported. */
class Check {
  readonly #paths: readonly string[];
  readonly #options: RunOptions;
  readonly #onEvent: ((event: JournalEvent) => void) | undefined;
  readonly #warnings: Problem[] = [];
  readonly #notes = new Map<EvalInfo, string[]>();
  readonly #reporterFailures = new Map<EvalInfo, string[]>();
  readonly #summaries = new Map<EvalInfo, RunSummary>();
  readonly #failures = new Map<EvalInfo, string>();
  readonly #stop = new AbortController();
  #infos: readonly EvalInfo[] = [];
  #evalResults: readonly EvalResult[] | undefined;
  #refusal: ProblemReport | undefined;
  #interrupts = 0;
  #isForOne = false;
  #interruptSession = (_times: number) => {};

  constructor(
    paths: readonly string[],
    options: RunOptions,
    onEvent?: (event: JournalEvent) => void,
  ) {
    this.#paths = paths;
    this.#options = options;
    this.#onEvent = onEvent;
  }

  interrupt(): void {
    this.#interrupts += 1;
    this.#stop.abort();
    this.#interruptSession(this.#interrupts);
  }

  async runOne(): Promise<RunResult> {
    this.#isForOne = true;
    const [result] = await this.run();
    if (!result) throw new Error(`${this.#paths[0]} has no result`);
    return result;
  }

  async run(): Promise<RunResult[]> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const options = resolveOptions(this.#options);
    let folder: string | undefined;
    const onAbort = () => this.interrupt();
    // Before anything is awaited: the caller may abort as soon as it has the promise.
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const reporters = await this.#makeReporterRequests();
      if (this.#isTemporary) folder = await makeTempFolder();
      const out = folder === undefined ? options.out : join(folder, '{eval}.json');
      await this.#runSession({ ...options, reporters, out });
      if (this.#refusal) throw new InvalidEvalError(this.#refusal);
      if (!this.#evalResults || this.#wasAbortedBeforeStart(this.#evalResults)) {
        throw signal?.aborted ? signal.reason : this.#stop.signal.reason;
      }
      const results: RunResult[] = [];
      for (const evalResult of this.#evalResults) {
        results.push(await this.#describeRun(evalResult));
      }
      return results;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  #wasAbortedBeforeStart(results: readonly EvalResult[]): boolean {
    const hasBegun = results.some(({ status }) => status !== 'not-run' && status !== 'skipped');
    return this.#stop.signal.aborted && !hasBegun;
  }

  /** Without `out`, everything that is written is gone at the end. */
  get #isTemporary(): boolean {
    return this.#options.out === undefined;
  }

  async #runSession(options: ResolvedOptions): Promise<void> {
    const { stdout } = this.#options;
    const { CheckSession } = await import('../run/session/check-session.js');
    const { redactEvent } = await import('../run/journal/redaction.js');
    const { environment, findSources } = makeLoadRequest(
      { ...this.#options, signal: this.#stop.signal },
      'fetch',
    );
    const session = new CheckSession({
      paths: this.#paths,
      options,
      environment,
      findSources,
      addsGithubReporter: false,
      openOutput: () => ({
        async write(text) {
          if (!stdout) throw new Error('there is nowhere to write to: give the option stdout');
          stdout.write(text);
        },
        finish: async () => {},
        discard: async () => {},
      }),
      // Only the reporter `text` needs it, which is refused.
      renderReport: () => '',
      onEvent: (event) => {
        this.#see(event);
        if (event.type !== 'journal' || event.isReplayed) return;
        this.#onEvent?.(redactEvent(event.event, event.eval.evalToRun.redactor));
      },
    });
    this.#interruptSession = (times) => session.interrupt(times);
    if (this.#stop.signal.aborted) return;
    try {
      await session.run();
    } catch (error) {
      // An error after an abort, before the whole check has `ended`, is only the abort's effect.
      if (!this.#stop.signal.aborted || this.#evalResults) throw error;
    }
  }

  #see(event: CheckEvent): void {
    switch (event.type) {
      case 'problems':
        if (event.isFatal) this.#refusal = event.report;
        else this.#warnings.push(...event.report.problems);
        break;
      case 'planned':
        this.#infos = event.evals;
        for (const info of event.evals) {
          const { note } = info.pending.decision;
          if (note !== undefined) this.#addNotes(info, [note]);
        }
        // Before anything runs: what runs would be paid for, and its results lost.
        if (this.#isForOne && event.evals.length + event.skipped.length > 1) {
          throw new UsageError(`${this.#paths[0]} has several evals`, 'run them with runEvals');
        }
        break;
      case 'moved-aside':
        this.#addNotes(event.eval, describeMovedAside(event));
        break;
      case 'eval-finished':
        this.#summaries.set(event.eval, event.run);
        break;
      case 'eval-failed':
        this.#failures.set(event.eval, event.message);
        break;
      case 'reporter-failed': {
        const known = this.#reporterFailures.get(event.eval) ?? [];
        this.#reporterFailures.set(event.eval, [...known, event.message]);
        break;
      }
      case 'ended':
        this.#evalResults = event.results;
        break;
    }
  }

  #addNotes(info: EvalInfo, notes: readonly string[]): void {
    const { redactor } = info.evalToRun;
    const known = this.#notes.get(info) ?? [];
    this.#notes.set(info, [...known, ...notes.map((note) => redactor.text(note))]);
  }

  async #describeRun(evalResult: EvalResult): Promise<RunResult> {
    const { name, file, status, totals } = evalResult;
    const info = this.#infos.find((each) => each.name === name && each.file === file);
    const summary = info && this.#summaries.get(info);
    const reason = evalResult.reason ?? (info && this.#failures.get(info));
    const opened =
      summary && info && (await openResults(info.files.results, { allowControl: true }));
    const results = opened && this.#isTemporary ? await copyResults(opened, name) : opened;
    return {
      name,
      file,
      status: status === 'handed-over' ? 'not-run' : status,
      passed: status === 'passed',
      ...(reason !== undefined && { reason }),
      ...(summary && { end: summary.end }),
      ...(summary?.budget && { budget: summary.budget }),
      ...(totals && { totals }),
      ...(results && { results }),
      async *taskRuns() {
        for await (const { taskRun } of results?.taskRuns() ?? []) yield taskRun;
      },
      ...(results &&
        info &&
        !this.#isTemporary && { resultsPath: info.files.results, journalPath: info.files.journal }),
      problems: this.#warnings,
      notes: (info && this.#notes.get(info)) ?? [],
      reporterFailures: (info && this.#reporterFailures.get(info)) ?? [],
    };
  }

  /** Throws UsageError for a reporter that has nowhere to write to. */
  async #makeReporterRequests(): Promise<ReporterRequest[]> {
    const { reporters = [], stdout } = this.#options;
    const requests: ReporterRequest[] = [];
    for (const [index, option] of reporters.entries()) {
      const request = await this.#makeReporterRequest(option, index);
      const builtin = 'builtin' in request.kind ? request.kind.builtin : undefined;
      const hasPlace =
        request.file !== undefined ||
        (builtin === 'html' ? !this.#isTemporary : stdout !== undefined);
      if (builtin === 'text') {
        throw new UsageError('--reporter text: the report for people is part of the command line');
      }
      if (builtin && !hasPlace) {
        const hint = `name it, such as ${builtin}=FILE${builtin === 'html' ? '' : ', or give stdout'}`;
        throw new UsageError(`--reporter ${builtin}: there is no file to write to`, hint);
      }
      requests.push(request);
    }
    return requests;
  }

  async #makeReporterRequest(option: ReporterOption, index: number): Promise<ReporterRequest> {
    if (typeof option !== 'string') {
      const create: CreateReporter = typeof option === 'function' ? option : () => option;
      return { shown: `number ${index + 1}`, kind: { create: leaveStdout(create) } };
    }
    const { parseReporterRequests } = await import('../run/reporters/reporter-requests.js');
    const [request] = parseReporterRequests([option], 'text');
    if (!request) throw new UsageError('--reporter: expected a name');
    if (!('module' in request.kind)) return request;
    const { loadReporterModule } = await import('../run/reporters/reporter-module.js');
    const create = await loadReporterModule(request.kind.module, process.cwd());
    return { ...request, kind: { create: leaveStdout(create) } };
  }
}

/** A reporter of the calling program does not claim stdout for itself. */
function leaveStdout(create: CreateReporter): CreateReporter {
  return async (context): Promise<Reporter> => {
    const reporter = await create(context);
    return {
      printsToStdout: false,
      ...(reporter.onEvent && { onEvent: (event) => reporter.onEvent?.(event) }),
      ...(reporter.onEnd && { onEnd: (run) => reporter.onEnd?.(run) }),
    };
  };
}

/**
 * A folder named like every temporary folder of this process: it is found after a kill, and its name tells an agent
 * nothing.
 */
async function makeTempFolder(): Promise<string> {
  const { ownFolderPrefix } = await import('../run/workspace.js');
  return mkdtemp(join(tmpdir(), ownFolderPrefix));
}

/** Keeps results in memory, so that their files can go. Instead of a path they have a name. */
async function copyResults(results: Results, name: string): Promise<Results> {
  const copies: { file: ResultsFile; taskRuns: TaskRunRecord[] }[] = [];
  for (const original of results.files) {
    const taskRuns: TaskRunRecord[] = [];
    for await (const taskRun of original.taskRuns()) taskRuns.push(taskRun);
    const leftOut = original.leftOut();
    const file: ResultsFile = {
      path: name,
      isInMemory: true,
      header: original.header,
      leftOut: () => leftOut,
      async *taskRuns() {
        yield* taskRuns;
      },
    };
    copies.push({ file, taskRuns });
  }
  return {
    files: copies.map(({ file }) => file),
    async *taskRuns({ of } = {}) {
      for (const { file, taskRuns } of copies) {
        if (of !== undefined && of !== file) continue;
        for (const taskRun of taskRuns) yield { file, taskRun };
      }
    },
  };
}
