import { type ToolsReport, unitOf } from '../../analysis/tools/tool-usage.js';
import { toolsOfRecordings, toolsReport } from '../../analysis/tools/tools-report.js';
import { type LeftOutOfFile, leftOutOf } from '../../results/results-file.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import { withTokenCounter } from '../../tokens/with-token-counter.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import {
  leftOutOfRecordings,
  openChosen,
  recordingsIn,
  variantPatternOf,
} from '../result/chosen-results.js';
import { showLeftOut } from '../result/left-out.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { toolsMarkdown } from '../result/tools-markdown.js';
import { toolsOfServer } from '../result/tools-of-server.js';
import { toolsText } from '../result/tools-text.js';
import { styleFor } from '../style.js';
import { terminalColumns } from '../wrapped-text.js';

/** Of sentences, where there is no terminal. */
const usualWidth = 80;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const { all, leftOut } = await read(call);
  showLeftOut(leftOut, io);
  if (all.taskRuns === 0) {
    throw new UsageError(
      `there is no ${unitOf(all)} to look at`,
      'without --task it takes all there are',
    );
  }
  const report = typeof options.server === 'string' ? toolsOfServer(all, options.server) : all;
  const style = styleFor(io.stdout, io.environment);
  const room = terminalColumns(io.stdout);
  io.stdout.write(
    options.output === 'json'
      ? jsonText({ ...report, leftOut })
      : options.output === 'markdown'
        ? toolsMarkdown(report)
        : toolsText(report, { style, width: room ?? usualWidth, room }),
  );
  return exitCodes.ok;
}

async function read(call: CommandRun): Promise<{ all: ToolsReport; leftOut: LeftOutOfFile[] }> {
  const { arguments: paths, options, io } = call;
  const pattern = taskPatternOf(options);
  const isWanted = (task: string) => pattern?.test(task) !== false;
  const recordings = await recordingsIn(call, ['variant']);
  try {
    if (recordings) {
      const all = await withTokenCounter((countTokens) =>
        toolsOfRecordings(recordings, { isWanted, countTokens }),
      );
      return { all, leftOut: leftOutOfRecordings(recordings) };
    }
    const sample = await openChosen(io, paths, { variants: variantPatternOf(options) });
    const all = await withTokenCounter((countTokens) =>
      toolsReport(sample, { isWanted, countTokens }),
    );
    return { all, leftOut: leftOutOf(sample.files) };
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}
