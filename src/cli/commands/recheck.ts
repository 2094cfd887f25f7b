import { dirname, resolve } from 'node:path';
import { plural } from '../../config/plural.js';
import { type ProblemReport, Problems } from '../../config/problem.js';
import type { ProblemCode } from '../../config/problem-codes.js';
import { Redactor } from '../../config/redactor.js';
import { secretsOf } from '../../config/secrets.js';
import { skillToolOf } from '../../config/skill-tool.js';
import { printableJson } from '../../events/printable-json.js';
import { checkSuite } from '../../plan/checks/check-suite.js';
import { makePlan, type PlannedTask } from '../../plan/plan.js';
import { loadSuite } from '../../plan/suite.js';
import { readTaskRuns } from '../../results/read-results.js';
import { type Recheck, type RecheckContext, recheck } from '../../results/recheck.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { planOptionsOf, suiteOptionsOf } from '../options.js';
import { problemsAsData } from '../problem-data.js';
import { recheckAsData, recheckTotals } from '../recheck-data.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { renderRecheck } from '../render-recheck.js';
import { styleFor } from '../style.js';
import { unreadableResults } from '../unreadable-results.js';

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
  const problems = new Problems();
  const suite = loadSuite(evalPath, suiteOptionsOf(call), problems);
  if (suite) checkSuite(suite, io.environment, problems);
  const planOptions = planOptionsOf(call);
  const plan = suite && makePlan(suite, planOptions, problems);
  const report = withoutNeedsOfRuns(problems.report({ strict: options.strict === true }));
  if (report.problems.length > 0 && !isJson) showProblems(call, report);
  if (!plan || report.errors > 0) {
    if (isJson) io.stdout.write(jsonText(problemsAsData(report)));
    return exitCodes.invalid;
  }

  const redactor = new Redactor(secretsOf(suite.mcp, io.environment, suite.agentFile?.data));
  const names = new Set(suite.tasks.map(({ task }) => redactor.text(task.name)));
  const rechecked = await read(resultsPath, plan.tasks, {
    evalFolder: dirname(evalPath),
    skillTool: skillToolOf(suite.agentFile?.data),
    isLeftOut: (name) => names.has(name) || planOptions.run?.test(name) === false,
    redact: (text) => redactor.text(text),
  });
  checkNotVacuous(rechecked, resultsPath, options.eval);
  if (isJson) {
    const data = { ...recheckAsData(rechecked), ...problemsAsData(report) };
    io.stdout.write(printableJson(redactor.json(jsonText(data))));
  } else {
    const style = styleFor(io.stdout, io.environment);
    io.stdout.write(redactor.text(renderRecheck(rechecked, style)));
  }
  const unmatched = rechecked.notInEval.length + rechecked.notRecorded.length;
  if (options.strict === true && unmatched > 0) {
    throw new UsageError(`${plural(unmatched, 'task')} of only one side, and --strict is given`);
  }
  return exitCodeOf(rechecked);
}

/** A run needs them to be set or named. What was recorded needs neither servers nor keys. */
const needsOfRuns: ReadonlySet<ProblemCode> = new Set([
  'unset-variable',
  'missing-mcp-config',
  'invalid-environment',
]);

function withoutNeedsOfRuns(report: ProblemReport): ProblemReport {
  const problems = report.problems.filter(({ code }) => !needsOfRuns.has(code));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { ...report, problems, errors, warnings: problems.length - errors };
}

function showProblems({ io }: CommandRun, report: ProblemReport): void {
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

/** What passed because it checked nothing is no pass. */
function checkNotVacuous({ taskRuns, ...rest }: Recheck, results: string, evalName: string) {
  if (taskRuns.length === 0) {
    const recorded = rest.notInEval.slice(0, 10).join(', ');
    const hint = recorded === '' ? undefined : `recorded are: ${recorded}`;
    throw new UsageError(`no task of ${evalName} that was asked for occurs in ${results}`, hint);
  }
  if (taskRuns.every(({ unfinished, assertions }) => !unfinished && assertions.length === 0)) {
    const message = `no assertion of ${evalName} covers a task that occurs in ${results}`;
    throw new UsageError(message, 'add assertions to the task set or the task');
  }
}

function exitCodeOf(rechecked: Recheck): number {
  const { assertions, held, unfinished } = recheckTotals(rechecked);
  return held === assertions && unfinished === 0 ? exitCodes.ok : exitCodes.failed;
}
