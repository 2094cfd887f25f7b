import type { ToolsReport } from '../../analysis/tools/tool-usage.js';
import { toolsReport } from '../../analysis/tools/tools-report.js';
import { withTokenCounter } from '../../tokens/with-token-counter.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { openChosen, variantPatternOf } from '../result/chosen-results.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { toolsMarkdown } from '../result/tools-markdown.js';
import { toolsOfServer } from '../result/tools-of-server.js';
import { toolsText } from '../result/tools-text.js';
import { styleFor } from '../style.js';
import { unreadableResults } from '../unreadable-results.js';

/** Of sentences, where there is no terminal. */
const usualWidth = 80;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const all = await read(call);
  if (all.taskRuns === 0) {
    throw new UsageError(
      'there is no task run to look at',
      'without --task it takes all there are',
    );
  }
  const report = typeof options.server === 'string' ? toolsOfServer(all, options.server) : all;
  const style = styleFor(io.stdout, io.environment);
  const room = io.stdout.isTerminal ? io.stdout.size?.()?.columns : undefined;
  io.stdout.write(
    options.output === 'json'
      ? jsonText(report)
      : options.output === 'markdown'
        ? toolsMarkdown(report)
        : toolsText(report, { style, width: room ?? usualWidth, room }),
  );
  return exitCodes.ok;
}

async function read({ arguments: paths, options }: CommandRun): Promise<ToolsReport> {
  const pattern = taskPatternOf(options);
  const isWanted = (task: string) => pattern?.test(task) !== false;
  try {
    const sample = await openChosen(paths, variantPatternOf(options));
    return await withTokenCounter((countTokens) => toolsReport(sample, { isWanted, countTokens }));
  } catch (error) {
    throw unreadableResults(paths.join(', '), error);
  }
}
