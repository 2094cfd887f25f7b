import type { ReportIndex } from '../../report-data/report-data.js';
import { counted, exactCount } from '../elements/amounts.js';
import { formatHash } from '../routing/hash.js';
import { replaceHash, useRoute } from '../routing/use-hash.js';
import { FindingsPanel } from './findings-panel.js';
import { NeverExercisedPanel } from './never-exercised-panel.js';
import { NeverUsedPanel } from './never-used-panel.js';
import { OthersTable } from './others-table.js';
import { ServerTools } from './server-tools.js';
import { toolKey } from './tool-key.js';

/** What a server's author needs: how its tools were used, and what deserves a look. */
export function ToolsPage({ index }: { index: ReportIndex }) {
  const { query } = useRoute();
  const wanted = Number(query.get('set'));
  const number = index.sets[wanted] ? wanted : 0;
  const report = index.sets[number]?.tools;
  if (!report) return <h1>Tools</h1>;

  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(query);
    if (value === null) next.delete(name);
    else next.set(name, value);
    replaceHash(formatHash('tools', next));
  };
  const choose = (key: string | null) => change('tool', key);
  const show = (key: string) => {
    choose(key);
    requestAnimationFrame(() => {
      const row = document.getElementById(key);
      row?.scrollIntoView({ block: 'center' });
      row?.querySelector('button')?.focus({ preventScroll: true });
    });
  };
  return (
    <article class="tools">
      <header class="tools-head">
        <h1>Tools</h1>
        <p class="quiet">
          {counted(report.tools.length, 'tool')} of {counted(report.servers.length, 'server')} in{' '}
          {counted(report.taskRuns, 'task run')}
        </p>
        {index.sets.length > 1 && (
          <label>
            <span class="quiet">Results</span>
            <select
              value={String(number)}
              onChange={({ currentTarget }) => change('set', currentTarget.value)}
            >
              {index.sets.map(({ name }, place) => (
                <option key={place} value={String(place)}>
                  {name}
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
          set={number}
          server={server}
          about={[
            offered === null ? 'it is not known what it offers' : `offers ${exactCount(offered)}`,
            counted(taskRuns, 'task run'),
          ].join(', ')}
          tools={report.tools.filter((tool) => tool.server === server)}
          chosen={query.get('tool')}
          onChoose={(tool) => choose(tool && toolKey(tool))}
        />
      ))}
      <OthersTable others={report.others} />
    </article>
  );
}
