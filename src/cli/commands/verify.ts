import { verifySummary } from '../../analysis/thresholds/verify-summary.js';
import { unlikeCaveats } from '../../analysis/unlike-judging.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { parseVariantPattern, showLeftOut, summarizeFiles } from '../result/chosen-results.js';
import { parseThresholds, renderVerify } from '../result/verify-text.js';
import { jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const thresholds = parseThresholds(call);
  const allowUnfinished = options.allowUnfinished === true;
  const summary = await summarizeFiles(io, paths, { variants: parseVariantPattern(options) });
  showLeftOut(summary.leftOut, io);
  const unlike = summary.unlikeJudging.filter(({ betweenFiles }) => betweenFiles);
  if (unlike.length > 0) {
    const message = `these files are no sample of one thing: ${unlikeCaveats(unlike).join('; ')}`;
    throw new UsageError(message, 'verify each alone, or merge them with --force');
  }
  const verification = verifySummary(summary, thresholds, { allowUnfinished });
  if (options.output === 'json') {
    io.stdout.write(jsonText({ ...verification, leftOut: summary.leftOut }));
  } else {
    const style = styleFor(io.stdout, io.environment);
    printText(io.stdout, renderVerify(verification, { style, allowUnfinished }));
  }
  return verification.passed ? exitCodes.ok : exitCodes.failed;
}
