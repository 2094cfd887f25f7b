import { isControl } from '../../analysis/summary/caveats.js';
import { verifySummary } from '../../analysis/thresholds/verify-summary.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { variantPatternOf } from '../result/chosen-results.js';
import { summaryOfFiles } from '../result/summary-of-files.js';
import { thresholdsOf } from '../result/verify-options.js';
import { verifyText } from '../result/verify-text.js';
import { styleFor } from '../style.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const thresholds = thresholdsOf(call);
  const allowUnfinished = options.allowUnfinished === true;
  const summary = await summaryOfFiles(paths, { variants: variantPatternOf(options) });
  const control = summary.sources.find(isControl);
  if (control) {
    const message = `${control.path} is of check --control: no agent did anything that could pass`;
    throw new UsageError(message, 'take the results of a check with an agent');
  }
  const verification = verifySummary(summary, thresholds, { allowUnfinished });
  if (options.output === 'json') io.stdout.write(jsonText(verification));
  else {
    const style = styleFor(io.stdout, io.environment);
    io.stdout.write(verifyText(verification, { style, allowUnfinished }));
  }
  return verification.passed ? exitCodes.ok : exitCodes.failed;
}
