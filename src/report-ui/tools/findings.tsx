import { useMemo, useState } from 'preact/hooks';
import { type NeverExercised, neverExercised } from '../../analysis/tools/never-exercised.js';
import { type ToolFinding, toolFindings } from '../../analysis/tools/tool-findings.js';
import { type ToolsReport, unitOf } from '../../analysis/tools/tool-usage.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatToolKey } from './tool-columns.js';

interface FindingsPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

const shownAtFirst = 5;

/** Findings on tools in words, the most important first. */
export function FindingsPanel({ report, onShow }: FindingsPanelProps) {
  const [showsAll, setShowsAll] = useState(false);
  const printing = usePrinting();
  const groups = useMemo(() => groupByTool(toolFindings(report)), [report]);
  const shown = showsAll || printing ? groups : groups.slice(0, shownAtFirst);
  const left = groups.length - shown.length;
  return (
    <section class="panel findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Worth a look</h2>
      {groups.length === 0 && (
        <p class="quiet">Nothing stands out in {formatPlural(report.taskRuns, unitOf(report))}.</p>
      )}
      <ul class="finding-list">
        {shown.map(([tool, ...others]) => (
          <li key={formatToolKey(tool)} class="finding">
            <ToolButton report={report} tool={tool} onShow={onShow} />
            <ul class="findings-of-tool">
              {[tool, ...others].map((finding) => (
                <Finding key={finding.text} finding={finding} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show {formatPlural(left, 'more tool')}
        </button>
      )}
    </section>
  );
}

function Finding({ finding: { text, names, hint, quotes } }: { finding: ToolFinding }) {
  return (
    <li>
      {text}
      {names.length > 0 && ` (${names.join(', ')})`}
      <span class="finding-hint quiet">{hint}</span>
      {quotes.map(({ text: said, calls }) => (
        <span key={said} class="finding-quote quiet">
          {formatCount(calls)}× <q>{said}</q>
        </span>
      ))}
    </li>
  );
}

interface NeverUsedPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

/** Tools that were offered to the model and never called. */
export function NeverUsedPanel({ report, onShow }: NeverUsedPanelProps) {
  const { neverUsed, tools, servers } = report;
  const isKnown = servers.some(({ offered }) => offered !== null);
  const unused = new Set(neverUsed.map(formatToolKey));
  const tokens = tools
    .filter((tool) => unused.has(formatToolKey(tool)))
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
            {formatPlural(neverUsed.length, 'tool')}
            {tokens > 0 &&
              `, ${formatCount(tokens)} tokens of definitions in every ${unitOf(report)}`}
          </p>
          <ul class="never-used-list">
            {neverUsed.map((tool) => (
              <li key={formatToolKey(tool)}>
                <ToolButton report={report} tool={tool} onShow={onShow} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ToolButtonProps {
  report: ToolsReport;
  tool: { server: string; tool: string };
  onShow: (key: string) => void;
}

/** A button that leads to a tool in the table; with its server where there are several. */
function ToolButton({ report, tool, onShow }: ToolButtonProps) {
  return (
    <button type="button" class="plain tool-name" onClick={() => onShow(formatToolKey(tool))}>
      {report.servers.length > 1 && `${formatName(tool.server)}.`}
      {formatName(tool.tool)}
    </button>
  );
}

/** Groups items by their tool, in the order of the first item of each. */
export function groupByTool<Item extends { server: string; tool: string }>(
  items: readonly Item[],
): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(formatToolKey(item));
    if (group) group.push(item);
    else groups.set(formatToolKey(item), [item]);
  }
  return [...groups.values()];
}

interface NeverExercisedPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

const unexercisedAtFirst = 10;

/** Parameters and values of used tools that no task run exercised. */
export function NeverExercisedPanel({ report, onShow }: NeverExercisedPanelProps) {
  const [showsAll, setShowsAll] = useState(false);
  const printing = usePrinting();
  const tools = neverExercised(report.tools);
  const shown = showsAll || printing ? tools : tools.slice(0, unexercisedAtFirst);
  const left = tools.length - shown.length;
  if (tools.length === 0) return null;
  return (
    <section class="panel findings" aria-labelledby="never-exercised-title">
      <h2 id="never-exercised-title">Never exercised</h2>
      <ul class="finding-list">
        {shown.map((tool) => (
          <li key={formatToolKey(tool)} class="finding">
            <ToolButton report={report} tool={tool} onShow={onShow} />
            <Unexercised tool={tool} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show {formatPlural(left, 'more tool')}
        </button>
      )}
    </section>
  );
}

function Unexercised({ tool: { parameters, values } }: { tool: NeverExercised }) {
  return (
    <ul class="findings-of-tool">
      {parameters.length > 0 && <li>parameters: {formatNames(parameters)}</li>}
      {values.length > 0 && <li>values: {formatNames(values)}</li>}
    </ul>
  );
}

const mostUnexercisedNames = 20;

/** Lists some names; the details of the tool have all of them. */
function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, mostUnexercisedNames).join(', ');
  return names.length > mostUnexercisedNames
    ? `${shown} and ${names.length - mostUnexercisedNames} more`
    : shown;
}
