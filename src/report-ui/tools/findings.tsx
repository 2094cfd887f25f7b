import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { findToolFindings, type ToolFinding } from '../../analysis/tools/tool-findings.js';
import {
  findNeverExercised,
  getUsageUnit,
  type ToolsReport,
} from '../../analysis/tools/tool-usage.js';
import { groupBy } from '../data/collections.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatToolKey } from './tool-columns.js';

interface ToolPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

/** Findings on tools in words, the most important first. */
export function FindingsPanel({ report, onShow }: ToolPanelProps) {
  const groups = useMemo(() => groupByTool(findToolFindings(report)), [report]);
  return (
    <section class="panel findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Worth a look</h2>
      {groups.length === 0 && (
        <p class="quiet">
          Nothing stands out in {formatPlural(report.taskRuns, getUsageUnit(report))}.
        </p>
      )}
      <FindingList
        report={report}
        onShow={onShow}
        shownAtFirst={5}
        tools={groups.map((findings) => ({
          tool: findings[0],
          lines: findings.map((finding) => <Finding key={finding.text} finding={finding} />),
        }))}
      />
    </section>
  );
}

/** Parameters and values of used tools that no task run exercised. */
export function NeverExercisedPanel({ report, onShow }: ToolPanelProps) {
  const tools = findNeverExercised(report.tools);
  if (tools.length === 0) return null;
  return (
    <section class="panel findings" aria-labelledby="never-exercised-title">
      <h2 id="never-exercised-title">Never exercised</h2>
      <FindingList
        report={report}
        onShow={onShow}
        shownAtFirst={10}
        tools={tools.map((tool) => ({
          tool,
          lines: (
            <>
              {tool.parameters.length > 0 && <li>parameters: {formatNames(tool.parameters)}</li>}
              {tool.values.length > 0 && <li>values: {formatNames(tool.values)}</li>}
            </>
          ),
        }))}
      />
    </section>
  );
}

interface FindingListProps extends ToolPanelProps {
  tools: { tool: ToolName; lines: ComponentChildren }[];
  shownAtFirst: number;
}

/**
 * A list of tools with some lines on each. A long list is cut, until the reader asks for the rest.
 */
function FindingList({ report, onShow, tools, shownAtFirst }: FindingListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const printing = usePrinting();
  const shown = showsAll || printing ? tools : tools.slice(0, shownAtFirst);
  const left = tools.length - shown.length;
  return (
    <>
      <ul class="finding-list">
        {shown.map(({ tool, lines }) => (
          <li key={formatToolKey(tool)} class="finding">
            <ToolButton report={report} tool={tool} onShow={onShow} />
            <ul class="findings-of-tool">{lines}</ul>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show {formatPlural(left, 'more tool')}
        </button>
      )}
    </>
  );
}

function Finding({ finding: { text, names, hint, quotes } }: { finding: ToolFinding }) {
  return (
    <li>
      {text}
      {names.length > 0 && ` (${names.join(', ')})`}
      <span class="finding-hint quiet">{hint}</span>
      {quotes.map(({ text: quote, calls }) => (
        <span key={quote} class="finding-quote quiet">
          {formatCount(calls)}× <q>{quote}</q>
        </span>
      ))}
    </li>
  );
}

/** Tools that were offered to the model and never called. */
export function NeverUsedPanel({ report, onShow }: ToolPanelProps) {
  const { neverUsed, tools, servers } = report;
  const isKnown = servers.some(({ offered }) => offered !== null);
  const unused = new Set(neverUsed.map(formatToolKey));
  const tokens = tools
    .filter((tool) => unused.has(formatToolKey(tool)))
    .reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
  return (
    <section class="panel never-used" aria-labelledby="never-used-title">
      <h2 id="never-used-title">Offered and never used</h2>
      {!isKnown && <p class="quiet">The results do not say what the servers offer.</p>}
      {isKnown && neverUsed.length === 0 && (
        <p class="quiet">Every tool that the MCP config allows was used.</p>
      )}
      {neverUsed.length > 0 && (
        <>
          <p>
            {formatPlural(neverUsed.length, 'tool')}
            {tokens > 0 &&
              `, ${formatCount(tokens)} tokens of definitions in every ${getUsageUnit(report)}`}
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

interface ToolName {
  server: string;
  tool: string;
}

/** A button that leads to a tool in the table; with its server where there are several. */
function ToolButton({ report, tool, onShow }: ToolPanelProps & { tool: ToolName }) {
  return (
    <button type="button" class="plain tool-name" onClick={() => onShow(formatToolKey(tool))}>
      {report.servers.length > 1 && `${formatName(tool.server)}.`}
      {formatName(tool.tool)}
    </button>
  );
}

/** Groups items by their tool, in the order of the first item of each. */
export function groupByTool<Item extends ToolName>(items: readonly Item[]): [Item, ...Item[]][] {
  return [...groupBy(items, formatToolKey).values()];
}

const mostNames = 20;

/** Lists some names; the details of the tool have all of them. */
function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
