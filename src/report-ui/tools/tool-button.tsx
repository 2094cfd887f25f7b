import type { ToolsReport } from '../../analysis/tools/tool-usage.js';
import { shortName } from '../elements/short-name.js';
import { toolKey } from './tool-key.js';

interface ToolButtonProps {
  report: ToolsReport;
  tool: { server: string; tool: string };
  onShow: (key: string) => void;
}

/** Leads to a tool in the table; its server is named where there are several. */
export function ToolButton({ report, tool, onShow }: ToolButtonProps) {
  return (
    <button type="button" class="plain tool-name" onClick={() => onShow(toolKey(tool))}>
      {report.servers.length > 1 && `${shortName(tool.server)}.`}
      {shortName(tool.tool)}
    </button>
  );
}
