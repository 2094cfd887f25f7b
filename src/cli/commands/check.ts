import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import type { Agent, AgentReadiness } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { skillMountPathOf, skillToolOf } from '../../config/skill-tool.js';
import type { AgentIdentity, Outcome } from '../../events/event.js';
import { readJournal } from '../../events/journal-reader.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { PlannedTask } from '../../plan/plan.js';
import { runIdVariable } from '../../processes/process-marks.js';
import type { ResultTotals } from '../../results/results-schema.js';
import { writeResults } from '../../results/write-results.js';
import { Evaluation, type EvaluationEnd } from '../../run/evaluation.js';
import { JournalError } from '../../run/journal-error.js';
import { OutputInUse, OutputLock } from '../../run/output-lock.js';
import { preflight } from '../../run/preflight/preflight.js';
import { verificationFor } from '../../run/preflight/verification.js';
import type { SkillMount } from '../../run/task-run/mount-skills.js';
import { WorkspaceError } from '../../run/workspace.js';
import { explainWriteFailure } from '../../run/write-failure.js';
import { type CheckDisplay, createCheckDisplay } from '../check/check-display.js';
import { type OutputFiles, outputFiles } from '../check/output-files.js';
import { offersOf, refuseWithoutWorkspace, reportPreflight } from '../check/preflight-problems.js';
import { type PreparedCheck, prepareCheck } from '../check/prepared-check.js';
import { optionWords, recordedOptions } from '../check/recorded-options.js';
import { refuse, showWarnings } from '../check/show-problems.js';
import { type WorkToDo, workToDo } from '../check/work-to-do.js';
import { type CheckOptions, checkOptionsOf } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
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
  #extensions: Extensions | undefined;
  #display: CheckDisplay | undefined;

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
    try {
      return await this.#run(problems);
    } catch (error) {
      this.#display?.stop();
      const isOurs = error instanceof JournalError || error instanceof WorkspaceError;
      throw isOurs ? new UsageError(error.message) : error;
    } finally {
      // It may not have come to an evaluation that ends them.
      await this.#extensions?.close();
    }
  }

  async #run(problems: Problems): Promise<number> {
    const { io } = this.#call;
    const { suite, plan, definition, redactor } = this.#prepared;
    const { control, parallel, bail, keepWorkdir } = this.#options;
    const work = await workToDo(this.#prepared, this.#options, this.#files);
    const { record, earlier, taskRuns } = work;
    const { previous } = earlier;
    const display = this.#show(work);
    this.#display = display;
    onStopSignal((times) => this.#interrupt(times, display));
    if (earlier.note !== undefined) io.stderr.write(`${earlier.note}\n`);
    if (previous?.isComplete && taskRuns.length === 0) {
      await replay(this.#files.journal, display);
      return this.#finish({ interrupted: false, bailed: false }, display);
    }

    const agent = control ? undefined : await createAgent(definition);
    display.note('Checking the servers and the agent');
    const servers = suite.mcp?.servers ?? [];
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
    const ready = await preflight({
      servers,
      ...(agent && { agent }),
      verification,
      environment: io.environment,
      redact,
      signal: this.#preflight.signal,
    }).catch(refuseWithoutWorkspace);
    if (!this.#preflight.signal.aborted) {
      reportPreflight(ready, suite, verification, problems, this.#options.agent);
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
    const { judge, extensions } = verification;
    this.#evaluation = new Evaluation({
      plan,
      taskRuns,
      evalPath: suite.eval.source.path,
      servers,
      offers: [...offersOf(ready.servers).values()],
      ...(agent && { agent }),
      skillTool: skillToolOf(definition.data),
      ...this.#skills(),
      ...(judge && { judge }),
      extensions,
      record: {
        id,
        agent: agent ? identityOf(agent, ready.agent) : { name: 'none', type: 'none' },
        ...(judge && { judge: identityOf(judge, ready.judge) }),
        ...record,
      },
      journalPath: this.#files.journal,
      redactor,
      environment: io.environment,
      parallel,
      ...(bail !== undefined && { bail }),
      ...(keepWorkdir && { keepWorkdir }),
      ...(previous && { previous, changed: earlier.changed, isForced: this.#options.force }),
      onEvent: (event) => display.onEvent(event),
    });
    if (!previous) await removeOld(this.#files.results);
    return this.#finish(await this.#evaluation.run(), display);
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
    let totals: ResultTotals;
    try {
      totals = await writeResults(journal, results);
    } catch (error) {
      if (end.failure) return fail(end.failure.message);
      return fail(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
    }
    display.finish({
      resultsPath: shownName(results),
      journalPath: shownName(journal),
      exitReason: exitReasonOf(end),
    });
    if (end.failure) return fail(end.failure.message);
    if (this.#options.output === 'json') await copyTo(io, results);
    if (end.interrupted) return exitCodes.interrupted;
    // Without an agent, a task run that failed is one that noticed.
    const isFine = isAll(this.#options.control ? 'failed' : 'passed', totals);
    return isFine ? exitCodes.ok : exitCodes.failed;
  }

  #skills(): { skills?: SkillMount } {
    const { suite, definition } = this.#prepared;
    const mountPath = skillMountPathOf(definition.data);
    if (!suite.skills || mountPath === undefined) return {};
    return { skills: { skills: suite.skills, mountPath } };
  }

  #interrupt(times: number, display: CheckDisplay): void {
    this.#preflight.abort();
    // Before it there is nothing to clean up.
    if (!this.#evaluation) return;
    display.interrupted(times);
    this.#evaluation.interrupt();
  }

  #show({ selected, total }: WorkToDo): CheckDisplay {
    const { redactor } = this.#prepared;
    const { io, arguments: args } = this.#call;
    const { output, verbose, control, parallel } = this.#options;
    const runs = new Map<PlannedTask, number>();
    for (const { task } of selected) runs.set(task, (runs.get(task) ?? 0) + 1);
    return createCheckDisplay({
      io,
      output,
      repeat: ['proctor', 'check', args[0] ?? '', ...optionWords(recordedOptions(this.#options))],
      verbose,
      control,
      redact: (text) => redactor.text(text),
      plan: {
        tasks: [...runs].map(([task, count]) => ({
          name: task.name,
          runs: count,
          ...(task.difficulty !== undefined && { difficulty: task.difficulty }),
          labels: task.labels,
          parallel: task.parallel,
        })),
        taskRuns: total,
        parallel,
      },
    });
  }
}

/** With the version that its program told. */
function identityOf({ identity }: Agent, { version }: AgentReadiness): AgentIdentity {
  return { ...identity, ...(version !== undefined && { version }) };
}

function exitReasonOf({ failure, interrupted, bailed }: EvaluationEnd) {
  if (failure) return 'broken';
  if (interrupted) return 'interrupted';
  return bailed ? 'bailed' : 'finished';
}

async function lockOutput({ results, journal }: OutputFiles): Promise<OutputLock> {
  try {
    return await OutputLock.take(results, journal);
  } catch (error) {
    if (error instanceof OutputInUse) {
      throw new UsageError(error.message, 'wait for it, or choose another file with --out');
    }
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

/** Every task run that was planned had this outcome, and there is no other one. */
function isAll(outcome: Outcome, { planned, outcomes }: ResultTotals): boolean {
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return outcomes[outcome] === planned && all === planned;
}

/** Of an earlier run, so that they are not taken for those of this one. A symbolic link stays. */
async function removeOld(results: string): Promise<void> {
  try {
    await rm(await realpath(results).catch(() => results), { force: true });
  } catch (error) {
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

async function replay(journal: string, display: CheckDisplay): Promise<void> {
  for await (const event of readJournal(journal)) display.replay(event);
}

async function copyTo({ stdout }: CommandIo, path: string): Promise<void> {
  for await (const chunk of createReadStream(path, 'utf8')) stdout.write(String(chunk));
}
