import { useState } from 'preact/hooks';
import {
  findNeverExercised,
  type NeverExercised,
  type ToolsReport,
} from '../../analysis/tools/tool-usage.js';
import { counted } from '../elements/amounts.js';
import { usePrinting } from '../elements/use-printing.js';
import { ToolButton } from './tool-button.js';
import { toolKey } from './tool-key.js';

interface NeverExercisedPanelProps {
  report: ToolsReport;
  onShow: (key: string) => void;
}

const shownAtFirst = 10;

/** What no task run put to the test, of tools that were used. */
export function NeverExercisedPanel({ report, onShow }: NeverExercisedPanelProps) {
  const [showsAll, setShowsAll] = useState(false);
  const printing = usePrinting();
  const tools = findNeverExercised(report.tools);
  const shown = showsAll || printing ? tools : tools.slice(0, shownAtFirst);
  const left = tools.length - shown.length;
  if (tools.length === 0) return null;
  return (
    <section class="panel findings" aria-labelledby="never-exercised-title">
      <h2 id="never-exercised-title">Never exercised</h2>
      <ul class="finding-list">
        {shown.map((tool) => (
          <li key={toolKey(tool)} class="finding">
            <ToolButton report={report} tool={tool} onShow={onShow} />
            <Unexercised tool={tool} />
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

function Unexercised({ tool: { parameters, values } }: { tool: NeverExercised }) {
  return (
    <ul class="findings-of-tool">
      {parameters.length > 0 && <li>parameters: {listed(parameters)}</li>}
      {values.length > 0 && <li>values: {listed(values)}</li>}
    </ul>
  );
}

const mostNames = 20;

/** The details of the tool have all of them. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
