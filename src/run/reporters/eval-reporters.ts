import { setMaxListeners } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import { UsageError } from '../../base/errors.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { JournalEvent } from '../../journal/event.js';
import { getReporterDefinition } from '../../reporters/registry.js';
import type {
  CreateReporter,
  FinishedRun,
  Reporter,
  ReporterContext,
} from '../../reporters/reporter.js';
import { redactEvent } from '../journal/redaction.js';
import { findReportFile } from '../outputs/output-files.js';
import { type OpenReportOutput, openReportFile, type ReportOutput } from './report-output.js';
import { interceptCrashes, loadReporterModule } from './reporter-module.js';
import {
  getBuiltinName,
  listModules,
  type ReporterRequest,
  refuseSharedStdout,
  takesStdout,
} from './reporter-requests.js';
import {
  formatFirstLine,
  RunningReporter,
  stopReadingOnAbort,
  withReporterTimeout,
} from './running-reporter.js';

interface EvalReportersOptions extends Pick<ReporterContext, 'evalFile' | 'evalFolder'> {
  environment: NodeJS.ProcessEnv;
  resultsPath: string;
  /** Opens stdout for a reporter without a file. */
  openOutput: OpenReportOutput;
  /** Where results go that are asked for on stdout, if they are a part of something there. */
  jsonOutput?: ReportOutput;
  /** Whether `github` is added in GitHub Actions where no reporter claims stdout. */
  addsGithubReporter: boolean;
  /** The report for people, without colours. */
  renderReport(): string;
  /** Reporters get events without the secrets that it knows. */
  redactor: Redactor;
  /** Called in one line with what a reporter did wrong. */
  onFailure(message: string): void;
}

interface CreatedReporter {
  request: ReporterRequest;
  reporter: Reporter;
  output: ReportOutput;
}

/** In milliseconds. */
const maxCreation = 60_000;

/** All reporters of the run of an eval. */
export class EvalReporters {
  /** Whether some reporter writes to stdout: the report for people goes to stderr then. */
  readonly isStdoutTaken: boolean;
  readonly #files: readonly string[];
  readonly #running: readonly RunningReporter[];
  readonly #byModule: ReadonlyMap<string, RunningReporter[]>;
  readonly #givenUp = new AbortController();
  readonly #modules: readonly string[];
  readonly #redactor: Redactor;
  /** Events from before the files of an earlier run were removed. Undefined: reporters get events at once. */
  #held: JournalEvent[] | undefined = [];

  /** Throws UsageError: before anything runs, it costs nothing to be strict. */
  static async create(
    requests: readonly ReporterRequest[],
    options: EvalReportersOptions,
  ): Promise<EvalReporters> {
    let reporters: EvalReporters | undefined;
    let early: UsageError | undefined;
    interceptCrashes(requests.flatMap(listModules), (module, error) => {
      if (reporters) reporters.#dropModule(module, error);
      else early ??= new UsageError(`--reporter: ${module}: ${formatFirstLine(error)}`);
    });
    const create = (request: ReporterRequest) =>
      createReporter(request, options, () => reporters?.isStdoutTaken === true);
    const created: CreatedReporter[] = [];
    for (const request of requests) created.push(await create(request));
    if (early) throw early;
    const claimants = created.filter(
      ({ request, reporter }) => takesStdout(request) && reporter.printsToStdout !== false,
    );
    refuseSharedStdout(claimants.map(({ request }) => request));
    const hasGithub = created.some(({ request }) => getBuiltinName(request) === 'github');
    // Where no reporter claims stdout, annotations belong to the report for people.
    const isInActions = options.addsGithubReporter && options.environment.GITHUB_ACTIONS === 'true';
    if (claimants.length === 0 && !hasGithub && isInActions) {
      created.push(await create({ shown: 'github', kind: { builtin: 'github' } }));
    }
    reporters = new EvalReporters(created, claimants, options);
    return reporters;
  }

  private constructor(
    created: readonly CreatedReporter[],
    claimants: readonly CreatedReporter[],
    { resultsPath, redactor, onFailure }: EvalReportersOptions,
  ) {
    this.#redactor = redactor;
    this.isStdoutTaken = claimants.some(({ request }) => getBuiltinName(request) !== 'text');
    this.#modules = created.flatMap(({ request }) => listModules(request));
    this.#files = created.flatMap(({ request }) => findReportFile(request, resultsPath) ?? []);
    const running = created
      // The text report is shown on stdout in any case.
      .filter(({ request }) => getBuiltinName(request) !== 'text' || request.file !== undefined)
      .map(({ request, reporter, output }) => ({
        request,
        running: new RunningReporter({
          name: request.shown,
          reporter,
          output,
          // Built-in reporters block only on slow readers of their output, so they get no timeout.
          isTimed: !('builtin' in request.kind),
          onFailure,
        }),
      }));
    this.#running = running.map((one) => one.running);
    const byModule = new Map<string, RunningReporter[]>();
    for (const one of running) {
      for (const module of listModules(one.request)) {
        byModule.set(module, [...(byModule.get(module) ?? []), one.running]);
      }
    }
    this.#byModule = byModule;
  }

  /** From now on, crashes of modules are about this eval and no other one of the check. */
  begin(): void {
    interceptCrashes(this.#modules, (module, error) => this.#dropModule(module, error));
  }

  /**
   * Hands an event to the reporters that want it, without its secrets. Those before `removeEarlier` wait for it: a
   * reporter may write to its file as soon as it gets an event.
   */
  onEvent(event: JournalEvent): void {
    const listening = this.#running.filter(({ isListening }) => isListening);
    if (listening.length === 0) return;
    const redacted = redactEvent(event, this.#redactor);
    if (this.#held) this.#held.push(redacted);
    else for (const reporter of listening) reporter.onEvent(redacted);
  }

  /** Removes files of an earlier run, so that they are not taken for those of this one. */
  async removeEarlier(): Promise<void> {
    for (const file of this.#files) {
      const found = await lstat(file).catch(() => undefined);
      // Where it cannot be removed, that is reported when it is written.
      if (found?.isFile()) await rm(file, { force: true }).catch(() => {});
    }
    this.#handHeldEvents();
  }

  #handHeldEvents(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const reporter of this.#running) reporter.onHeldEvents(held);
  }

  /** Waits for all of them, within bounds. */
  async finish(check: Omit<FinishedRun, 'results'>): Promise<void> {
    if (this.#running.length === 0) return;
    this.#handHeldEvents();
    const { openResultsFile } = await import('../../results/read/open-results.js');
    const { signal } = this.#givenUp;
    // Each of them listens, however many there are.
    setMaxListeners(0, signal);
    try {
      const results = stopReadingOnAbort(await openResultsFile(check.resultsPath), signal);
      const finished = { ...check, results };
      await Promise.all(this.#running.map((reporter) => reporter.finish(finished, signal)));
    } catch (error) {
      // The results were removed in the meantime.
      for (const reporter of this.#running) reporter.drop(error);
    }
  }

  /** Stops waiting for reporters, as the check is to end at once. */
  giveUp(): void {
    this.#givenUp.abort();
  }

  /** Whether some reporter is still at work, which could keep the process alive. */
  get hasStuck(): boolean {
    return this.#running.some(({ isStuck }) => isStuck);
  }

  #dropModule(module: string, error: unknown): void {
    for (const reporter of this.#byModule.get(module) ?? []) reporter.drop(error);
  }
}

async function createReporter(
  request: ReporterRequest,
  options: EvalReportersOptions,
  isStdoutTaken: () => boolean,
): Promise<CreatedReporter> {
  const { environment, evalFile, evalFolder } = options;
  const cwd = process.cwd();
  const output = chooseOutput(request, options, isStdoutTaken);
  const create = await loadCreator(request, options, cwd);
  const context = { environment, evalFile, evalFolder, cwd };
  try {
    const creation = (async () => create({ output, file: request.file, ...context }))();
    return { request, output, reporter: await withReporterTimeout(creation, maxCreation) };
  } catch (error) {
    throw new UsageError(`--reporter ${request.shown}: ${formatFirstLine(error)}`);
  }
}

async function loadCreator(
  { kind }: ReporterRequest,
  { renderReport }: EvalReportersOptions,
  cwd: string,
): Promise<CreateReporter> {
  if ('module' in kind) return loadReporterModule(kind.module, cwd);
  if ('create' in kind) return kind.create;
  const { load } = getReporterDefinition(kind.builtin);
  if (load) return load();
  return ({ output }) => ({ onEnd: () => output.write(renderReport()) });
}

function chooseOutput(
  request: ReporterRequest,
  { openOutput, jsonOutput }: EvalReportersOptions,
  isStdoutTaken: () => boolean,
): ReportOutput {
  if (request.file !== undefined) return openReportFile(request.file);
  if (getBuiltinName(request) === 'json' && jsonOutput) return jsonOutput;
  return openOutput(request, isStdoutTaken);
}
