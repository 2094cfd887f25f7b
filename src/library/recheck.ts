import { resolve } from 'node:path';
import { UsageError } from '../base/errors.js';
import type { ProblemReport } from '../config/problems/problem.js';
import { Problems } from '../config/problems/problem.js';
import type { AgentIdentity } from '../journal/run-events.js';
import { proctorVersion } from '../proctor-version.js';
import type { Recheck } from '../results/recheck/recheck.js';
import type { WrittenRecheck } from '../results/recheck/write-rechecked.js';
import type { LeftOutOfFile } from '../results/results-file.js';
import type { PreparedEval } from '../run/prepare/prepare-eval.js';
import { InvalidEvalError, prepareWithOptions, protectProcesses } from './load-eval.js';
import { type PlanEvalOptions, resolveOptions } from './options.js';

/** Options of `recheckEval`. They have the names and meanings of those of `proctor recheck`. */
export interface RecheckOptions extends Omit<PlanEvalOptions, 'rerunFailed'> {
  /** Asks the judge of the eval about the recorded answers, too. */
  rejudge?: boolean | undefined;
  /** With `rejudge`: how many answers are judged at once. Default: 4. */
  parallel?: number | undefined;
  /** Where to write the results with their new verdicts. Without it nothing is written. */
  out?: string | undefined;
}

/** What the assertions of an eval say about recorded results. */
export interface RecheckResult extends Recheck {
  /** Whether every assertion held and every judgement passed, of task runs that all came to their end. */
  passed: boolean;
  /** With `rejudge`: the judge that was asked. */
  judge?: AgentIdentity;
  /** With `out`: what was written. */
  written?: WrittenRecheck;
  /** What could not be read of the results. */
  leftOut: LeftOutOfFile[];
  /** Warnings about the eval. */
  problems: ProblemReport['problems'];
}

/**
 * Checks recorded calls against the assertions that an eval has now, without running an agent, as `proctor recheck`
 * does. Throws InvalidEvalError and UsageError, and the reason of the signal after an abort.
 */
export async function recheckEval(
  results: string,
  evalPath: string,
  options: RecheckOptions = {},
): Promise<RecheckResult> {
  const { rejudge = false, ...evalOptions } = options;
  const { out, signal } = evalOptions;
  const engine = await import('../run/recheck/recheck-results.js');
  const how = { ignoresVariants: true, skipRuntimeProblems: true };
  const { prepared, report } = await prepareWithOptions(evalPath, evalOptions, how);
  if (!prepared || report.errors > 0) throw new InvalidEvalError(report);
  if (out !== undefined) {
    engine.refuseRecheckOutput(results, out);
    const { refuseToOverwrite } = await import('../run/prepare/prepare-eval.js');
    await refuseToOverwrite(prepared, { path: resolve(out), option: '--out' });
  }
  const context = engine.makeRecheckContext(prepared, resolveOptions(evalOptions).plan.run);
  const named = { results, evalName: evalPath };
  const { rechecked: bare, leftOut } = await engine.recheckResults(results, prepared, context);
  engine.refuseUnlessOccurs(bare, named);
  signal?.throwIfAborted();
  if (!rejudge) engine.refuseVacuous(bare, named);
  const { rechecked, judge } = rejudge
    ? await askJudge(bare, prepared, named, options)
    : { rechecked: bare, judge: undefined };
  signal?.throwIfAborted();
  const { name } = prepared.suite.eval.data.metadata;
  const by = {
    at: new Date().toISOString(),
    proctor: proctorVersion,
    eval: { name, file: evalPath },
    rejudged: rejudge,
  };
  const written =
    out === undefined
      ? undefined
      : await engine.writeRecheckedResults(results, out, { recheck: rechecked, by, judge });
  return {
    ...rechecked,
    passed: engine.hasHeld(rechecked),
    ...(judge && { judge }),
    ...(written && { written }),
    leftOut,
    problems: report.problems,
  };
}

async function askJudge(
  bare: Recheck,
  prepared: PreparedEval,
  named: { results: string; evalName: string },
  { parallel = 4, signal = new AbortController().signal }: RecheckOptions,
): Promise<{ rechecked: Recheck; judge: AgentIdentity }> {
  const [engine, { findJudgeOfSuite, JudgeSession }, { addJudgements }] = await Promise.all([
    import('../run/recheck/recheck-results.js'),
    import('../run/judging.js'),
    import('../results/recheck/rejudge.js'),
  ]);
  const { suite, redactor } = prepared;
  const problems = new Problems();
  const judge = findJudgeOfSuite(suite, prepared.environment, problems);
  const report = problems.report();
  if (report.errors > 0) throw new InvalidEvalError(report);
  if (!judge) {
    const hint = 'add config.llmJudge to the eval';
    throw new UsageError(`${named.evalName} configures no judge`, hint);
  }
  const answers = await engine.findAnswers(prepared, named);
  return protectProcesses(prepared.environment, async (environment) => {
    const redact = (text: string) => redactor.text(text);
    const session = await JudgeSession.open(judge, { environment, redact, signal });
    try {
      const taskRuns = await engine.rejudgeResults(named.results, prepared, {
        ask: (question, timeoutMs) => session.ask(question, timeoutMs),
        onJudged: () => {},
        parallel,
        signal,
      });
      return { rechecked: addJudgements(bare, { answers, taskRuns }), judge: session.identity };
    } finally {
      await session.close();
    }
  });
}
