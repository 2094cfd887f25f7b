import { getUsageUnit, type ToolsReport } from '../../analysis/tools/tool-usage.js';
import { counted, exactCount } from '../elements/amounts.js';
import { ToolButton } from './tool-button.js';
import { toolKey } from './tool-key.js';

interface NeverUsedPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

/** Tools that every model had to read about, and that none called. */
export function NeverUsedPanel({ report, onShow }: NeverUsedPanelProps) {
  const { neverUsed, tools, servers } = report;
  const isKnown = servers.some(({ offered }) => offered !== null);
  const unused = new Set(neverUsed.map(toolKey));
  const tokens = tools
    .filter((tool) => unused.has(toolKey(tool)))
    .reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
  return (
    <section class="panel never-used" aria-labelledby="never-used-title">
      <h2 id="never-used-title">Offered and never used</h2>
      {!isKnown && <p class="quiet">The results do not tell what the servers offer.</p>}
      {isKnown && neverUsed.length === 0 && (
        <p class="quiet">Every tool that the MCP config allows was used.</p>
      )}
      {neverUsed.length > 0 && (
        <>
          <p>
            {counted(neverUsed.length, 'tool')}
            {tokens > 0 &&
              `, ${exactCount(tokens)} tokens of definitions in every ${getUsageUnit(report)}`}
          </p>
          <ul class="never-used-list">
            {neverUsed.map((tool) => (
              <li key={toolKey(tool)}>
                <ToolButton report={report} tool={tool} onShow={onShow} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
