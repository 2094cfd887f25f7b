import { setMaxListeners } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import type { JournalEvent } from '../../../journal/event.js';
import type { FinishedCheck } from '../../../reporters/reporter.js';
import { UsageError } from '../../exit-codes.js';
import { styleFor } from '../../terminal/output.js';
import { terminalLine } from '../../terminal/text.js';
import { isInGithubActions } from './inert-io.js';
import { reportFile } from './report-files.js';
import {
  type CreatedReporter,
  createReporter,
  type ReporterSurroundings,
} from './reporter-creation.js';
import {
  builtinOf,
  moduleOf,
  type ReporterRequest,
  refuseSharedStdout,
  takesStdout,
} from './reporter-requests.js';
import { RunningReporter } from './running-reporter.js';
import { keepFromEnding } from './stray-errors.js';
import { untilGivenUp } from './until-given-up.js';
import { whyOf } from './why.js';

type Surroundings = Omit<ReporterSurroundings, 'isStdoutTaken'>;

/** All reporters of an eval that is checked. */
export class CheckReporters {
  /** Somebody has it: the report for people goes to stderr. */
  readonly isStdoutTaken: boolean;
  readonly #files: readonly string[];
  readonly #running: readonly RunningReporter[];
  readonly #byModule: ReadonlyMap<string, RunningReporter[]>;
  readonly #givenUp = new AbortController();
  readonly #modules: readonly string[];

  /** Throws UsageError. */
  static async create(
    requests: readonly ReporterRequest[],
    surroundings: Surroundings,
  ): Promise<CheckReporters> {
    let all: CheckReporters | undefined;
    const around = { ...surroundings, isStdoutTaken: () => all?.isStdoutTaken === true };
    let early: UsageError | undefined;
    keepFromEnding(requests.flatMap(moduleOf), (module, error) => {
      if (all) all.#leaveOut(module, error);
      else early ??= new UsageError(`--reporter: ${module}: ${whyOf(error)}`);
    });
    const created: CreatedReporter[] = [];
    for (const request of requests) created.push(await createReporter(request, around));
    if (early) throw early;
    const claimants = created.filter(
      ({ request, reporter }) => takesStdout(request) && reporter.printsToStdout !== false,
    );
    refuseSharedStdout(claimants.map(({ request }) => request));
    if (claimants.length === 0 && isInGithubActions(around.io.environment)) {
      created.push(...(await githubBeside(created, around)));
    }
    all = new CheckReporters(created, claimants, around);
    return all;
  }

  private constructor(
    created: readonly CreatedReporter[],
    claimants: readonly CreatedReporter[],
    around: Surroundings,
  ) {
    this.isStdoutTaken = claimants.some(({ request }) => builtinOf(request) !== 'text');
    this.#modules = created.flatMap(({ request }) => moduleOf(request));
    this.#files = created.flatMap(({ request }) => reportFile(request, around.resultsPath) ?? []);
    const running = created
      // That one is shown in any case.
      .filter(({ request }) => builtinOf(request) !== 'text' || request.file !== undefined)
      .map(({ request, reporter, output }) => ({
        request,
        running: new RunningReporter({
          name: request.shown,
          reporter,
          output,
          // Ours wait for nothing but who reads them.
          isTimed: 'module' in request.kind,
          tell,
        }),
      }));
    function tell(message: string): void {
      const { stderr, environment } = around.inertIo;
      const style = styleFor(stderr, environment);
      stderr.write(`${style('red', 'error:')} ${terminalLine(around.redact(message))}\n`);
    }
    this.#running = running.map((each) => each.running);
    const byModule = new Map<string, RunningReporter[]>();
    for (const each of running) {
      for (const module of moduleOf(each.request)) {
        byModule.set(module, [...(byModule.get(module) ?? []), each.running]);
      }
    }
    this.#byModule = byModule;
  }

  /** From now on, what modules do wrong is about this eval and no other one of the check. */
  begin(): void {
    keepFromEnding(this.#modules, (module, error) => this.#leaveOut(module, error));
  }

  onEvent(event: JournalEvent): void {
    for (const reporter of this.#running) reporter.onEvent(event);
  }

  /** Files of an earlier run, so that they are not taken for those of this one. */
  async removeOld(): Promise<void> {
    for (const file of this.#files) {
      const found = await lstat(file).catch(() => undefined);
      // Where it cannot be removed, that is told when it is written.
      if (found?.isFile()) await rm(file, { force: true }).catch(() => {});
    }
  }

  /** Waits for all of them, within bounds. */
  async finish(check: Omit<FinishedCheck, 'results'>): Promise<void> {
    if (this.#running.length === 0) return;
    const { openResults } = await import('../../../results/read/open-results.js');
    const { signal } = this.#givenUp;
    // Each of them listens, however many there are.
    setMaxListeners(0, signal);
    try {
      const results = untilGivenUp(await openResults(check.resultsPath), signal);
      const finished = { ...check, results };
      await Promise.all(this.#running.map((reporter) => reporter.finish(finished, signal)));
    } catch (error) {
      // Somebody took the results away.
      for (const reporter of this.#running) reporter.leaveOut(error);
    }
  }

  /** Somebody wants an end: nobody waits any longer. */
  giveUp(): void {
    this.#givenUp.abort();
  }

  /** What is still at work could keep the process alive. */
  get hasStuck(): boolean {
    return this.#running.some(({ isStuck }) => isStuck);
  }

  #leaveOut(module: string, error: unknown): void {
    for (const reporter of this.#byModule.get(module) ?? []) reporter.leaveOut(error);
  }
}

/** Where nobody says what stdout is for, annotations belong to the report for people. */
async function githubBeside(
  created: readonly CreatedReporter[],
  around: ReporterSurroundings,
): Promise<CreatedReporter[]> {
  if (created.some(({ request }) => builtinOf(request) === 'github')) return [];
  return [await createReporter({ shown: 'github', kind: { builtin: 'github' } }, around)];
}
