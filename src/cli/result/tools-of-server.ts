import type { ToolsReport } from '../../analysis/tools/tool-usage.js';
import { formatServerName } from '../../results/results-header.js';
import { UsageError } from '../exit-codes.js';

/** Only what is about one server, in every MCP config that has one of this name. */
export function toolsOfServer(report: ToolsReport, name: string): ToolsReport {
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
