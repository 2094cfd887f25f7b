import { useEffect } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted, exactCount } from '../elements/amounts.js';
import { shortName } from '../elements/short-name.js';
import { formatHash } from '../routing/hash.js';
import { setOfQuery, setQuery } from '../routing/set-query.js';
import { replaceHash, useRoute } from '../routing/use-hash.js';
import { FindingsPanel } from './findings-panel.js';
import { NeverExercisedPanel } from './never-exercised-panel.js';
import { NeverUsedPanel } from './never-used-panel.js';
import { OthersTable } from './others-table.js';
import { ServerTools } from './server-tools.js';
import { toolKey } from './tool-key.js';
import { orderText, parseOrder } from './tool-order.js';

/** What a server's author needs: how its tools were used, and what deserves a look. */
export function ToolsPage({ index }: { index: ReportIndex }) {
  const { query } = useRoute();
  const chosen = query.get('tool');
  useEffect(() => {
    if (chosen !== null) scrollToTool(chosen);
  }, []);
  const set = setOfQuery(index, query);
  const report = index.sets[set]?.tools;
  if (!report) return <h1>Tools</h1>;

  const change = (changes: Record<string, string | null>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    replaceHash(formatHash('tools', next));
  };
  const choose = (tool: string | null) => change({ tool });
  const show = (key: string) => {
    choose(key);
    requestAnimationFrame(() => scrollToTool(key));
  };
  return (
    <article class="tools">
      <header class="tools-head">
        <h1>Tools</h1>
        <p class="quiet">
          {counted(report.tools.length, 'tool')} of {counted(report.servers.length, 'server')} in{' '}
          {counted(report.taskRuns, getUsageUnit(report))}
        </p>
        {index.sets.length > 1 && (
          <label>
            <span class="quiet">{index.sources.length > 1 ? 'Results' : 'Variant'}</span>
            <select
              value={String(set)}
              onChange={({ currentTarget }) =>
                change({
                  set: null,
                  variant: null,
                  ...setQuery(index, Number(currentTarget.value)),
                })
              }
            >
              {index.sets.map(({ name }, place) => (
                <option key={place} value={String(place)}>
                  {shortName(name)}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      <div class="tools-panels">
        <FindingsPanel report={report} onShow={show} />
        <div class="tools-side">
          <NeverUsedPanel report={report} onShow={show} />
          <NeverExercisedPanel report={report} onShow={show} />
        </div>
      </div>
      {report.servers.map(({ server, taskRuns, offered }) => (
        <ServerTools
          key={server}
          index={index}
          set={set}
          server={server}
          about={[
            offered === null ? 'it is not known what it offers' : `offers ${exactCount(offered)}`,
            counted(taskRuns, getUsageUnit(report)),
          ].join(', ')}
          tools={report.tools.filter((tool) => tool.server === server)}
          order={parseOrder(query.get('sort'))}
          onOrder={(order) => change({ sort: orderText(order) })}
          chosen={chosen}
          onChoose={(tool) => choose(tool && toolKey(tool))}
        />
      ))}
      <OthersTable report={report} />
    </article>
  );
}

function scrollToTool(key: string): void {
  const row = document.getElementById(key);
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector('button')?.focus({ preventScroll: true });
}
