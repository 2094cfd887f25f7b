import { getUsageUnit, type ToolsReport } from '../../analysis/tools/tool-usage.js';
import { reportRecordingTools, reportTools } from '../../analysis/tools/tools-report.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import { describeTools } from '../../reporters/document/tools-document.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LeftOutOfFile, listLeftOut } from '../../results/results-file.js';
import { formatServerName } from '../../results/results-header.js';
import { withTokenCounter } from '../../tokens/token-counter.js';
import type { CommandRun } from '../command.js';
import {
  listLeftOutOfRecordings,
  openChosen,
  parseTaskPattern,
  parseVariantPattern,
  recordingsIn,
  showLeftOut,
} from '../result/chosen-results.js';
import { printReport } from '../terminal/document.js';

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
  printReport(call, { data: { ...report, leftOut }, document: describeTools(report) });
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

/** Only what is about one server, in every MCP config that has one of this name. */
function selectServer(report: ToolsReport, name: string): ToolsReport {
  const wanted = new Set(
    report.servers
      .filter(({ server, mcpConfigFile }) =>
        [name, formatServerName({ name, mcpConfigFile })].includes(server),
      )
      .map(({ server }) => server),
  );
  const isOfIt = ({ server }: { server: string }) => wanted.has(server);
  if (wanted.size === 0) {
    const names = report.servers.slice(0, 20).map(({ server }) => server);
    const hint = names.length > 0 ? `servers are: ${names.join(', ')}` : 'the results name none';
    throw new UsageError(`--server: there is no server ${JSON.stringify(name)}`, hint);
  }
  return {
    ...report,
    servers: report.servers.filter(isOfIt),
    tools: report.tools.filter(isOfIt),
    neverUsed: report.neverUsed.filter(isOfIt),
    others: report.others.filter(isOfIt),
  };
}
