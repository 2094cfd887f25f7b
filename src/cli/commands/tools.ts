import { getUsageUnit, type ToolsReport } from '../../analysis/tools/tool-usage.js';
import { reportRecordingTools, reportTools } from '../../analysis/tools/tools-report.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LeftOutOfFile, listLeftOut } from '../../results/results-file.js';
import { withTokenCounter } from '../../tokens/token-counter.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import {
  listLeftOutOfRecordings,
  openChosen,
  parseTaskPattern,
  parseVariantPattern,
  recordingsIn,
  showLeftOut,
} from '../result/chosen-results.js';
import { selectServer } from '../result/tools-columns.js';
import { renderToolsMarkdown } from '../result/tools-markdown.js';
import { renderToolsText } from '../result/tools-text.js';
import { jsonText, styleFor } from '../terminal/output.js';
import { terminalColumns } from '../terminal/text.js';

/** Width of sentences where there is no terminal. */
const usualWidth = 80;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const { all, leftOut } = await read(call);
  showLeftOut(leftOut, io);
  if (all.taskRuns === 0) {
    throw new UsageError(
      `there is no ${getUsageUnit(all)} to look at`,
      'without --task it takes all there are',
    );
  }
  const report = typeof options.server === 'string' ? selectServer(all, options.server) : all;
  const style = styleFor(io.stdout, io.environment);
  const room = terminalColumns(io.stdout);
  io.stdout.write(
    options.output === 'json'
      ? jsonText({ ...report, leftOut })
      : options.output === 'markdown'
        ? renderToolsMarkdown(report)
        : renderToolsText(report, { style, width: room ?? usualWidth, room }),
  );
  return exitCodes.ok;
}

async function read(call: CommandRun): Promise<{ all: ToolsReport; leftOut: LeftOutOfFile[] }> {
  const { arguments: paths, options, io } = call;
  const pattern = parseTaskPattern(options);
  const isWanted = (task: string) => pattern?.test(task) !== false;
  const recordings = await recordingsIn(call, ['variant']);
  try {
    if (recordings) {
      const all = await withTokenCounter((countTokens) =>
        reportRecordingTools(recordings, { isWanted, countTokens }),
      );
      return { all, leftOut: listLeftOutOfRecordings(recordings) };
    }
    const sample = await openChosen(io, paths, { variants: parseVariantPattern(options) });
    const all = await withTokenCounter((countTokens) =>
      reportTools(sample, { isWanted, countTokens }),
    );
    return { all, leftOut: listLeftOut(sample.files) };
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}
