import { useMemo, useState } from 'preact/hooks';
import { findToolFindings, type ToolFinding } from '../../analysis/tools/tool-findings.js';
import { getUsageUnit, type ToolsReport } from '../../analysis/tools/tool-usage.js';
import { counted, exactCount } from '../elements/amounts.js';
import { usePrinting } from '../elements/use-printing.js';
import { byTool } from './by-tool.js';
import { ToolButton } from './tool-button.js';
import { toolKey } from './tool-key.js';

interface FindingsPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

const shownAtFirst = 5;

/** In words, the most telling first. */
export function FindingsPanel({ report, onShow }: FindingsPanelProps) {
  const [showsAll, setShowsAll] = useState(false);
  const printing = usePrinting();
  const groups = useMemo(() => byTool(findToolFindings(report)), [report]);
  const shown = showsAll || printing ? groups : groups.slice(0, shownAtFirst);
  const left = groups.length - shown.length;
  return (
    <section class="panel findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Worth a look</h2>
      {groups.length === 0 && (
        <p class="quiet">Nothing stands out in {counted(report.taskRuns, getUsageUnit(report))}.</p>
      )}
      <ul class="finding-list">
        {shown.map(([tool, ...others]) => (
          <li key={toolKey(tool)} class="finding">
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
          Show {counted(left, 'more tool')}
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
          {exactCount(calls)}× <q>{said}</q>
        </span>
      ))}
    </li>
  );
}
