import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createAgent } from '../../agents/registry.js';
import { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { skillToolOf } from '../../config/skill-tool.js';
import { readJournal } from '../../events/journal-reader.js';
import type { Plan, TaskRun } from '../../plan/plan.js';
import { writeResults } from '../../results/write-results.js';
import { Evaluation, type EvaluationEnd } from '../../run/evaluation.js';
import { JournalError } from '../../run/journal-error.js';
import { OutputInUse, OutputLock } from '../../run/output-lock.js';
import { preflight } from '../../run/preflight/preflight.js';
import { keyOf } from '../../run/resume/previous-run.js';
import { suiteFiles } from '../../run/suite-files.js';
import { WorkspaceError } from '../../run/workspace.js';
import { explainWriteFailure } from '../../run/write-failure.js';
import { type CheckDisplay, createCheckDisplay } from '../check/check-display.js';
import { earlierRun } from '../check/earlier-run.js';
import { failedTaskRuns, nothingToRerun } from '../check/failed-task-runs.js';
import { type OutputFiles, outputFiles } from '../check/output-files.js';
import { reportPreflight } from '../check/preflight-problems.js';
import { type PreparedCheck, prepareCheck } from '../check/prepared-check.js';
import { recordedOptions } from '../check/recorded-options.js';
import { type CheckOptions, checkOptionsOf } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { jsonText } from '../json-text.js';
import { problemsAsData } from '../problem-data.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { onStopSignal } from '../until-stopped.js';

export async function run(call: CommandRun): Promise<number> {
  const options = checkOptionsOf(call);
  const problems = new Problems();
  const prepared = prepareCheck(call, options, problems);
  if (!prepared) return refuse(call.io, options, problems);
  showWarnings(call.io, options, problems);
  const files = outputFiles(prepared.plan.name, options);
  const lock = await lockOutput(files);
  try {
    return await new CheckCommand(call, options, prepared, files).run(problems);
  } finally {
    await lock.release();
  }
}

class CheckCommand {
  readonly #call: CommandRun;
  readonly #options: CheckOptions;
  readonly #prepared: PreparedCheck;
  readonly #files: OutputFiles;
  readonly #preflight = new AbortController();
  #evaluation: Evaluation | undefined;

  constructor(
    call: CommandRun,
    options: CheckOptions,
    prepared: PreparedCheck,
    files: OutputFiles,
  ) {
    this.#call = call;
    this.#options = options;
    this.#prepared = prepared;
    this.#files = files;
  }

  async run(problems: Problems): Promise<number> {
    const { io } = this.#call;
    const { suite, plan, definition, redactor } = this.#prepared;
    const { control, parallel, bail, keepWorkdir } = this.#options;
    const record = {
      files: await suiteFiles(suite, plan),
      options: recordedOptions(this.#options),
    };
    const earlier = await earlierRun(this.#files.journal, this.#options, record);
    const { previous } = earlier;
    const taskRuns = await this.#taskRuns(plan, previous?.finished);
    const display = this.#display(taskRuns, previous?.finished.size ?? 0);
    onStopSignal((times) => this.#interrupt(times, display));
    if (earlier.note !== undefined) io.stderr.write(`${earlier.note}\n`);

    const agent = control ? undefined : await createAgent(definition);
    display.note('Checking the servers and the agent');
    const servers = suite.mcp?.servers ?? [];
    const ready = await preflight({
      servers,
      ...(agent && { agent }),
      environment: io.environment,
      redact: (text) => redactor.text(text),
      signal: this.#preflight.signal,
    });
    if (this.#preflight.signal.aborted) {
      display.stop();
      return exitCodes.interrupted;
    }
    reportPreflight(ready, suite, problems);
    if (problems.report({ strict: this.#options.strict }).errors > 0) {
      display.stop();
      return refuse(io, this.#options, problems);
    }
    if (previous) await replay(this.#files.journal, display);
    const { version } = ready.agent;
    const identity = agent?.identity ?? { name: 'none', type: 'none' };
    this.#evaluation = new Evaluation({
      plan,
      taskRuns,
      evalPath: suite.eval.source.path,
      servers,
      offers: ready.servers.flatMap((check) => ('offer' in check ? [check.offer] : [])),
      ...(agent && { agent }),
      skillTool: skillToolOf(definition.data),
      record: {
        id: previous?.evaluation.id ?? randomUUID(),
        agent: { ...identity, ...(version !== undefined && { version }) },
        ...record,
      },
      journalPath: this.#files.journal,
      redactor,
      environment: io.environment,
      parallel,
      ...(bail !== undefined && { bail }),
      ...(keepWorkdir && { keepWorkdir }),
      ...(previous && { previous, changed: earlier.changed }),
      onEvent: (event) => display.onEvent(event),
    });
    if (!previous) await rm(this.#files.results, { force: true });
    const end = await this.#evaluate(this.#evaluation, display);
    return this.#finish(end, display);
  }

  async #evaluate(evaluation: Evaluation, display: CheckDisplay): Promise<EvaluationEnd> {
    try {
      return await evaluation.run();
    } catch (error) {
      display.stop();
      const isOurs = error instanceof JournalError || error instanceof WorkspaceError;
      if (isOurs) throw new UsageError(error.message);
      throw error;
    }
  }

  async #finish(end: EvaluationEnd, display: CheckDisplay): Promise<number> {
    const { io } = this.#call;
    const { results, journal } = this.#files;
    const style = styleFor(io.stderr, io.environment);
    const fail = (message: string) => {
      display.stop();
      io.stderr.write(`${style('red', 'error:')} ${terminalLine(message)}\n`);
      return exitCodes.failed;
    };
    if (end.failure) return fail(end.failure.message);
    let totals: Awaited<ReturnType<typeof writeResults>>;
    try {
      totals = await writeResults(journal, results);
    } catch (error) {
      return fail(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
    }
    const exitReason = end.interrupted ? 'interrupted' : end.bailed ? 'bailed' : 'finished';
    display.finish({
      resultsPath: shownName(results),
      journalPath: shownName(journal),
      exitReason,
    });
    if (this.#options.output === 'json') await copyTo(io, results);
    if (end.interrupted) return exitCodes.interrupted;
    // Without an agent, a task run that failed is one that noticed.
    const { passed, failed } = totals.outcomes;
    const fine = this.#options.control ? failed : passed;
    return fine === totals.planned ? exitCodes.ok : exitCodes.failed;
  }

  #interrupt(times: number, display: CheckDisplay): void {
    display.interrupted(times);
    this.#preflight.abort();
    this.#evaluation?.interrupt();
  }

  /** Those of the plan that are still to do. */
  async #taskRuns(plan: Plan, finished: ReadonlySet<string> = new Set()): Promise<TaskRun[]> {
    const { rerunFailed } = this.#options;
    const wanted = rerunFailed === undefined ? undefined : await failedTaskRuns(rerunFailed);
    const taskRuns = plan.taskRuns.filter(({ task, run }) => {
      const key = keyOf(task.name, run);
      return !finished.has(key) && wanted?.has(key) !== false;
    });
    if (wanted && taskRuns.length === 0) throw nothingToRerun(String(rerunFailed), wanted.size);
    return taskRuns;
  }

  #display(taskRuns: readonly TaskRun[], finished: number): CheckDisplay {
    const { plan, redactor } = this.#prepared;
    const { io, arguments: args } = this.#call;
    const { output, verbose, control, parallel } = this.#options;
    return createCheckDisplay({
      io,
      output,
      evalPath: args[0] ?? '',
      verbose,
      control,
      redact: (text) => redactor.text(text),
      plan: {
        tasks: plan.tasks.map((task) => ({
          name: task.name,
          runs: plan.taskRuns.filter((run) => run.task === task).length,
          ...(task.difficulty !== undefined && { difficulty: task.difficulty }),
          labels: task.labels,
          parallel: task.parallel,
        })),
        taskRuns: taskRuns.length + finished,
        parallel,
      },
    });
  }
}

/** Problems, and nothing ran. */
function refuse(io: CommandIo, { output, strict }: CheckOptions, problems: Problems): number {
  const report = problems.report({ strict });
  if (output === 'json') {
    io.stdout.write(jsonText(problemsAsData(report)));
  } else {
    const style = styleFor(io.stderr, io.environment);
    io.stderr.write(`${renderProblems(report, style)}\n${style('bold', countProblems(report))}\n`);
  }
  return exitCodes.invalid;
}

function showWarnings(io: CommandIo, { strict }: CheckOptions, problems: Problems): void {
  const report = problems.report({ strict });
  if (report.problems.length === 0) return;
  io.stderr.write(`${renderProblems(report, styleFor(io.stderr, io.environment))}\n`);
}

async function lockOutput({ results }: OutputFiles): Promise<OutputLock> {
  try {
    return await OutputLock.take(results);
  } catch (error) {
    if (error instanceof OutputInUse) {
      throw new UsageError(error.message, 'wait for it, or choose another file with --out');
    }
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

async function replay(journal: string, display: CheckDisplay): Promise<void> {
  for await (const event of readJournal(journal)) display.replay(event);
}

async function copyTo({ stdout }: CommandIo, path: string): Promise<void> {
  for await (const chunk of createReadStream(path, 'utf8')) stdout.write(String(chunk));
}
