import { listUnlikeCaveats } from '../../analysis/judging-differences.js';
import { verifySummary } from '../../analysis/thresholds/verify-summary.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { variantPatternOf } from '../result/chosen-results.js';
import { showLeftOut } from '../result/left-out.js';
import { summaryOfFiles } from '../result/summary-of-files.js';
import { thresholdsOf } from '../result/verify-options.js';
import { verifyText } from '../result/verify-text.js';
import { styleFor } from '../style.js';
import { printText } from '../wrapped-text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const thresholds = thresholdsOf(call);
  const allowUnfinished = options.allowUnfinished === true;
  const summary = await summaryOfFiles(io, paths, { variants: variantPatternOf(options) });
  showLeftOut(summary.leftOut, io);
  const unlike = summary.unlikeJudging.filter(({ betweenFiles }) => betweenFiles);
  if (unlike.length > 0) {
    const message = `these files are no sample of one thing: ${listUnlikeCaveats(unlike).join('; ')}`;
    throw new UsageError(message, 'verify each alone, or merge them with --force');
  }
  const verification = verifySummary(summary, thresholds, { allowUnfinished });
  if (options.output === 'json') {
    io.stdout.write(jsonText({ ...verification, leftOut: summary.leftOut }));
  } else {
    const style = styleFor(io.stdout, io.environment);
    printText(io.stdout, verifyText(verification, { style, allowUnfinished }));
  }
  return verification.passed ? exitCodes.ok : exitCodes.failed;
}
