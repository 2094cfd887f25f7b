import { dirname, resolve } from 'node:path';
import { plural } from '../../config/plural.js';
import { type ProblemReport, Problems } from '../../config/problem.js';
import { Redactor } from '../../config/redactor.js';
import { skillToolOf } from '../../config/skill-tool.js';
import { printableJson } from '../../events/printable-json.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type PlannedTask } from '../../plan/plan.js';
import { loadSuites, type Suite } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import { readTaskRuns } from '../../results/read-results.js';
import { type Recheck, type RecheckContext, recheck } from '../../results/recheck.js';
import { withJudgements } from '../../results/rejudge.js';
import { judgeDefinition } from '../../run/judge-definition.js';
import { limitSettings } from '../../run/limit-settings.js';
import { maxParallel } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { rejudgeRecord } from '../judging/rejudge-record.js';
import { planOptionsOf, suiteOptionsOf, wholeNumber } from '../options.js';
import { problemsAsData } from '../problem-data.js';
import { judgementTotals, recheckAsData, recheckTotals } from '../recheck-data.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { renderRecheck } from '../render-recheck.js';
import { styleFor } from '../style.js';
import { unreadableResults } from '../unreadable-results.js';
import { withoutNeedsOfRuns } from '../without-needs-of-runs.js';

export async function run(call: CommandRun): Promise<number> {
  const {
    arguments: [resultsPath = ''],
    options,
    io,
  } = call;
  if (typeof options.eval !== 'string') {
    throw new UsageError('there is no eval to take assertions from', 'name it with --eval');
  }
  const evalPath = resolve(options.eval);
  const isJson = options.output === 'json';
  const parallel = wholeNumber('--parallel', String(options.parallel), maxParallel);
  const problems = new Problems();
  const suites = loadSuites(evalPath, suiteOptionsOf(call), problems);
  const [suite] = suites;
  checkSuites(suites, io.environment, problems);
  const planOptions = planOptionsOf(call);
  const plan = suite && makePlan(suite, planOptions, problems);
  const report = withoutNeedsOfRuns(problems.report({ strict: options.strict === true }));
  if (!plan || report.errors > 0) return refuse(call, report);
  // Apart: of what the judge needs, nothing may be passed over.
  const judgeProblems = new Problems();
  const isRejudged = options.rejudge === true;
  const definition = isRejudged && judgeDefinition(suite, io.environment, judgeProblems);
  if (isRejudged && !definition) return refuseJudge(call, judgeProblems, options.eval);
  if (!isJson) showProblems(call, report);

  const redactor = new Redactor(secretsOfSuite(suite, io.environment, suites));
  const redact = (text: string) => redactor.text(text);
  const names = new Set(suite.tasks.map(({ task }) => redact(task.name)));
  const evalFolder = dirname(evalPath);
  const bare = await read(resultsPath, plan.tasks, {
    evalFolder,
    skillTool: (variant) => skillToolOf(ofVariant(suites, variant)?.agentFile?.data),
    isLeftOut: (name) => names.has(name) || planOptions.run?.test(name) === false,
    redact,
  });
  checkOccurs(bare, resultsPath, options.eval);
  if (!isRejudged) checkNotVacuous(bare, resultsPath, options.eval);
  const rejudged = definition
    ? await rejudgeRecord(plan.tasks, {
        results: resultsPath,
        evalName: options.eval,
        evalFolder,
        definition,
        limits: limitSettings(suite.eval.data.config.limits),
        parallel,
        io,
        redact,
      })
    : undefined;
  const rechecked = rejudged ? withJudgements(bare, rejudged.rejudged) : bare;
  if (isJson) {
    const data = { ...recheckAsData(rechecked, rejudged?.judge), ...problemsAsData(report) };
    io.stdout.write(printableJson(redactor.json(jsonText(data))));
  } else {
    io.stdout.write(redact(renderRecheck(rechecked, styleFor(io.stdout, io.environment))));
  }
  if (rejudged?.isInterrupted) return exitCodes.interrupted;
  const unmatched = rechecked.notInEval.length + rechecked.notRecorded.length;
  if (options.strict === true && unmatched > 0) {
    throw new UsageError(`${plural(unmatched, 'task')} of only one side, and --strict is given`);
  }
  return exitCodeOf(rechecked);
}

/** A variant that the command line made then is not in the eval: its agent counts, as for the rest. */
function ofVariant(suites: readonly Suite[], variant: string | null): Suite | undefined {
  return suites.find((suite) => suite.variant?.name === variant) ?? suites[0];
}

function refuse(call: CommandRun, report: ProblemReport): number {
  if (call.options.output === 'json') call.io.stdout.write(jsonText(problemsAsData(report)));
  else showProblems(call, report);
  return exitCodes.invalid;
}

function refuseJudge(call: CommandRun, problems: Problems, evalName: string): number {
  const report = problems.report();
  if (report.errors > 0) return refuse(call, report);
  throw new UsageError(`${evalName} configures no judge`, 'add config.llmJudge to the eval');
}

function showProblems({ io }: CommandRun, report: ProblemReport): void {
  if (report.problems.length === 0) return;
  const style = styleFor(io.stderr, io.environment);
  const count = style('bold', countProblems(report));
  io.stderr.write(`${renderProblems(report, style)}\n${count}\n`);
}

async function read(
  path: string,
  tasks: readonly PlannedTask[],
  context: RecheckContext,
): Promise<Recheck> {
  try {
    return await recheck(readTaskRuns(path), tasks, context);
  } catch (error) {
    throw unreadableResults(path, error);
  }
}

function checkOccurs({ taskRuns, notInEval }: Recheck, results: string, evalName: string) {
  if (taskRuns.length > 0) return;
  const recorded = notInEval.slice(0, 10).join(', ');
  const hint = recorded === '' ? undefined : `recorded are: ${recorded}`;
  throw new UsageError(`no task of ${evalName} that was asked for occurs in ${results}`, hint);
}

/** What passed because it checked nothing is no pass. */
function checkNotVacuous({ taskRuns }: Recheck, results: string, evalName: string) {
  if (taskRuns.some(({ unfinished, assertions }) => unfinished || assertions.length > 0)) return;
  const message = `no assertion of ${evalName} covers a task that occurs in ${results}`;
  throw new UsageError(message, 'add assertions to the task set or the task');
}

function exitCodeOf(rechecked: Recheck): number {
  const { assertions, held, unfinished } = recheckTotals(rechecked);
  const { judgements, judgementsPassed } = judgementTotals(rechecked);
  const isFine = held === assertions && judgementsPassed === judgements && unfinished === 0;
  return isFine ? exitCodes.ok : exitCodes.failed;
}
