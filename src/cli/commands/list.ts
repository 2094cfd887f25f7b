import { addShardDurations, prepareEval } from '../../run/prepare/prepare-eval.js';
import { resolveCheckOptions } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { withoutSecrets } from '../redacted-text.js';
import { planAsData, renderPlan } from '../render-plan.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { findSourcesOfEval } from '../sources-of.js';
import { jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const {
    arguments: [path = ''],
    options,
    io,
  } = call;
  const {
    suite,
    plan: given,
    shardDurations,
    strict,
  } = resolveCheckOptions(options, io.environment);
  const planOptions = await addShardDurations(given, shardDurations);
  const { prepared, problems, selectionProblems } = await prepareEval(path, {
    suite,
    environment: io.environment,
    findSources: (evalPath) => findSourcesOfEval(evalPath, io, 'offline'),
    choosePlanOptions: () => planOptions,
  });
  problems.addFrom(selectionProblems);
  const report = problems.report({ strict });
  const plan = report.errors > 0 ? undefined : prepared?.plan;
  if (options.output === 'json') {
    const data = { ...(plan && planAsData(plan, planOptions)), ...problemsAsData(report) };
    io.stdout.write(jsonText(data));
  } else {
    if (report.problems.length > 0) {
      const style = styleFor(io.stderr, io.environment);
      const count = style('bold', countProblems(report));
      const text = `${renderProblems(report, style)}\n${count}\n`;
      printText(io.stderr, withoutSecrets(text, io.environment));
    }
    const style = styleFor(io.stdout, io.environment);
    if (plan) printText(io.stdout, renderPlan(plan, planOptions, style));
  }
  return plan ? exitCodes.ok : exitCodes.invalid;
}
