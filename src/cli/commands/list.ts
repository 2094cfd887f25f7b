import { resolve } from 'node:path';
import { Problems } from '../../config/problems/problem.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan } from '../../plan/plan.js';
import { loadSuites } from '../../plan/suite.js';
import { variantsOf } from '../check/prepared-check.js';
import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { planOptionsOf, suiteOptionsOf } from '../options.js';
import { withoutSecrets } from '../redacted-text.js';
import { planAsData, renderPlan } from '../render-plan.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { withShardDurations } from '../shard-durations.js';
import { sourcesOf } from '../sources-of.js';
import { jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const {
    arguments: [path = ''],
    options,
    io,
  } = call;
  const planOptions = await withShardDurations(
    planOptionsOf(call),
    Array.isArray(options.shardDurations) ? options.shardDurations : [],
  );
  const problems = new Problems();
  const evalPath = resolve(path);
  const sources = await sourcesOf(evalPath, io, 'offline');
  const suites = loadSuites(evalPath, { ...suiteOptionsOf(call), sources }, problems);
  checkSuites(suites, io.environment, problems);
  const [suite] = suites;
  const variants = variantsOf(suites);
  const plan = suite && makePlan(suite, { ...planOptions, variants }, problems);

  const report = problems.report({ strict: options.strict === true });
  const failed = !plan || report.errors > 0;
  if (options.output === 'json') {
    const data = { ...(failed ? {} : planAsData(plan, planOptions)), ...problemsAsData(report) };
    io.stdout.write(jsonText(data));
  } else {
    if (report.problems.length > 0) {
      const style = styleFor(io.stderr, io.environment);
      const count = style('bold', countProblems(report));
      const text = `${renderProblems(report, style)}\n${count}\n`;
      printText(io.stderr, withoutSecrets(text, io.environment));
    }
    const style = styleFor(io.stdout, io.environment);
    if (!failed) printText(io.stdout, renderPlan(plan, planOptions, style));
  }
  return failed ? exitCodes.invalid : exitCodes.ok;
}
