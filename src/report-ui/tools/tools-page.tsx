import { useEffect } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatPlural } from '../elements/amounts.js';
import { formatName } from '../elements/text.js';
import { findQueriedSet, formatHash, formatSetQuery } from '../routing/hash.js';
import { replaceHash, useRoute } from '../routing/navigation.js';
import { FindingsPanel, NeverExercisedPanel, NeverUsedPanel } from './findings.js';
import { formatToolKey, formatToolOrder, parseToolOrder } from './tool-columns.js';
import { OthersTable, ServerTools } from './tool-tables.js';

/** The page for authors of servers: how tools were used, and what deserves a look. */
export function ToolsPage({ index }: { index: ReportIndex }) {
  const { query } = useRoute();
  const chosen = query.get('tool');
  useEffect(() => {
    if (chosen !== null) scrollToTool(chosen);
  }, []);
  const set = findQueriedSet(index, query);
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
          {formatPlural(report.tools.length, 'tool')} of{' '}
          {formatPlural(report.servers.length, 'server')} in{' '}
          {formatPlural(report.taskRuns, getUsageUnit(report))}
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
                  ...formatSetQuery(index, Number(currentTarget.value)),
                })
              }
            >
              {index.sets.map(({ name }, place) => (
                <option key={place} value={String(place)}>
                  {formatName(name)}
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
            offered === null ? 'number of tools unknown' : formatPlural(offered, 'tool'),
            formatPlural(taskRuns, getUsageUnit(report)),
          ].join(', ')}
          tools={report.tools.filter((tool) => tool.server === server)}
          order={parseToolOrder(query.get('sort'))}
          onOrder={(order) => change({ sort: formatToolOrder(order) })}
          chosen={chosen}
          onChoose={(tool) => choose(tool && formatToolKey(tool))}
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
