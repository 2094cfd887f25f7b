import {
  getUsageUnit,
  type ParameterUse,
  type Retry,
  type ToolUse,
} from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { formatName } from '../elements/text.js';
import { formatHash, formatSetQuery } from '../routing/hash.js';
import { findNamedRun, formatRunLink } from '../routing/run-links.js';
import { formatToolKey, toolColumns } from './tool-columns.js';

interface ToolDetailsProps {
  index: ReportIndex;
  set: number;
  tool: ToolUse;
}

export function ToolDetails({ index, set, tool }: ToolDetailsProps) {
  const { errorTexts, tasks, parameters } = tool;
  const inOverview = new URLSearchParams({
    tool: formatToolKey(tool),
    ...formatSetQuery(index, set),
  });
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
              <bdi>{text}</bdi> <span class="quiet">({formatPlural(calls, 'call')})</span>
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
              <bdi>{formatName(task)}</bdi>{' '}
              <span class="quiet">
                {formatPlural(calls, 'call')} in {formatPlural(taskRuns, 'run')}
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

/** How often each parameter was given, and each of its values. */
function ParameterTable({ parameters }: { parameters: readonly ParameterUse[] }) {
  if (parameters.length === 0) return <p class="quiet">none</p>;
  return (
    <table class="parameters">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Given</th>
          <th scope="col">Values</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, required, calls, values }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {required && <span class="quiet"> required</span>}
            </th>
            <td>
              {calls === 0 ? <strong class="never">never</strong> : formatPlural(calls, 'time')}
            </td>
            <td>
              {(values ?? []).map(({ value, calls: times }) => (
                <span key={value} class={`value ${times === 0 ? 'untaken' : ''}`}>
                  <code>{value}</code> {times === 0 ? 'never' : formatCount(times)}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RetryListProps {
  index: ReportIndex;
  set: number;
  tool: ToolUse;
}

/** Retries of calls with other arguments after an error. */
function RetryList({ index, set, tool: { retries, retryCount } }: RetryListProps) {
  if (retryCount === 0) return null;
  return (
    <>
      <h3>Called again with other arguments</h3>
      <p class="quiet">
        {formatPlural(retryCount, 'time')} after an error
        {retryCount > retries.length && `; the first ${retries.length}:`}
      </p>
      <ul class="details-list">
        {groupRetries(retries).map((group, place) => (
          <li key={place}>
            <Group index={index} set={set} group={group} />
          </li>
        ))}
      </ul>
    </>
  );
}

const mostLinks = 8;

function Group({ index, set, group }: { index: ReportIndex; set: number; group: RetryGroup }) {
  const { changed, error, worked, retries } = group;
  return (
    <>
      {formatPlural(retries.length, 'time')}{' '}
      {changed.length > 0 ? `with another ${changed.join(', ')}` : 'with other arguments'}, of which{' '}
      {worked} worked
      {error !== '' && <span class="finding-hint quiet">{error}</span>}
      <span class="retry-links">
        {retries.slice(0, mostLinks).map(({ task, run, failed }) => {
          const place = findNamedRun(index, set, task, run);
          const at = new URLSearchParams({ at: `call-${failed}` });
          const name = `${formatName(task)}, run ${run}, call ${failed}`;
          if (place === undefined) return <span key={name}>{name}</span>;
          return (
            <a key={name} href={formatRunLink(index, place, at)}>
              {name}
            </a>
          );
        })}
        {retries.length > mostLinks && <span>and {retries.length - mostLinks} more</span>}
      </span>
    </>
  );
}

/** Retries that changed the same arguments after the same error. */
interface RetryGroup {
  changed: string[];
  error: string;
  worked: number;
  retries: Retry[];
}

/** Groups retries, the most frequent first, as one mistake is mostly made many times. */
export function groupRetries(retries: readonly Retry[]): RetryGroup[] {
  const groups = new Map<string, RetryGroup>();
  for (const retry of retries) {
    const { changed, error } = retry;
    const key = JSON.stringify([changed, error]);
    const group = groups.get(key) ?? { changed, error, worked: 0, retries: [] };
    group.retries.push(retry);
    if (retry.worked) group.worked++;
    groups.set(key, group);
  }
  return [...groups.values()].sort((left, right) => right.retries.length - left.retries.length);
}
