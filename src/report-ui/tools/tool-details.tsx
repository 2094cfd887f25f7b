import { getUsageUnit, type ToolUse } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted } from '../elements/amounts.js';
import { shortName } from '../elements/short-name.js';
import { formatHash } from '../routing/hash.js';
import { setQuery } from '../routing/set-query.js';
import { ParameterTable } from './parameter-table.js';
import { RetryList } from './retry-list.js';
import { toolColumns } from './tool-columns.js';
import { toolKey } from './tool-key.js';

interface ToolDetailsProps {
  index: ReportIndex;
  set: number;
  tool: ToolUse;
}

export function ToolDetails({ index, set, tool }: ToolDetailsProps) {
  const { errorTexts, tasks, parameters } = tool;
  const inOverview = new URLSearchParams({ tool: toolKey(tool), ...setQuery(index, set) });
  return (
    <div class="tool-details">
      <dl class="narrow-only">
        {toolColumns.map((column) => (
          <div key={column.key}>
            <dt>{column.title}</dt>
            <dd>{column.text(tool)}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3>Parameters</h3>
        {parameters === null ? (
          <p class="quiet">Its input schema is not in the results.</p>
        ) : (
          <ParameterTable parameters={parameters} />
        )}
      </section>
      <section>
        <h3>Errors</h3>
        {errorTexts.length === 0 && <p class="quiet">none</p>}
        <ul class="details-list">
          {errorTexts.map(({ text, calls }) => (
            <li key={text}>
              <bdi>{text}</bdi> <span class="quiet">({counted(calls, 'call')})</span>
            </li>
          ))}
        </ul>
        <RetryList index={index} set={set} tool={tool} />
      </section>
      <section>
        <h3>Used by</h3>
        {tasks.length === 0 && <p class="quiet">no task</p>}
        <ul class="details-list">
          {tasks.map(({ task, calls, taskRuns }) => (
            <li key={task}>
              <bdi>{shortName(task)}</bdi>{' '}
              <span class="quiet">
                {counted(calls, 'call')} in {counted(taskRuns, 'run')}
              </span>
            </li>
          ))}
        </ul>
        {tasks.length > 0 && (
          <p>
            <a href={formatHash('', inOverview)}>All {getUsageUnit(index)}s that used it</a>
          </p>
        )}
      </section>
    </div>
  );
}
