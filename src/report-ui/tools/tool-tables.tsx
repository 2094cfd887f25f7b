import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  getUsageUnit,
  type ParameterUse,
  type Retry,
  type ToolsReport,
  type ToolUse,
} from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { OutcomeSign, SortHeading } from '../elements/graphics.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { findNamedRun, formatHash, formatRunLink, formatSetQuery } from '../routing/hash.js';
import {
  formatToolKey,
  sortTools,
  type ToolColumn,
  type ToolOrder,
  toolColumns,
} from './tool-columns.js';

interface ServerToolsProps {
  index: ReportIndex;
  set: number;
  server: string;
  about: string;
  tools: readonly ToolUse[];
  order: ToolOrder;
  onOrder: (order: ToolOrder) => void;
  /** Key of the tool whose details are shown. */
  chosen: string | null;
  onChoose: (tool: ToolUse | null) => void;
}

/** The table of the tools of a server, with the details of the chosen one. */
export function ServerTools(props: ServerToolsProps) {
  const { index, set, server, about, tools, order, onOrder, chosen, onChoose } = props;
  const sorted = useMemo(() => sortTools(tools, order), [tools, order.by, order.descending]);
  const printing = usePrinting();
  const sortBy = (by: string) => ({
    descending: order.by === by ? order.descending : undefined,
    isLargestFirst: by !== 'tool',
    onSort: (descending: boolean) => onOrder({ by, descending }),
  });
  return (
    <section class="panel server-tools">
      <div class="panel-title">
        <h2>{formatName(server)}</h2>
        <span class="quiet">{about}</span>
      </div>
      <ScrollingTable label={`tools of ${formatName(server)}`}>
        <thead>
          <tr>
            <SortHeading {...sortBy('tool')} title="Tool" explained="its name" />
            {toolColumns.map(({ key, title, explained, always }) => (
              <SortHeading
                key={key}
                {...sortBy(key)}
                title={title}
                explained={explained}
                class={always ? 'number' : 'number wide-only'}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((tool) => {
            const key = formatToolKey(tool);
            const isOpen = chosen === key || printing;
            return (
              <Fragment key={key}>
                <tr id={key} class={isOpen ? 'open' : ''}>
                  <th scope="row">
                    <button
                      type="button"
                      class="plain fold-mark"
                      aria-expanded={isOpen}
                      onClick={() => onChoose(isOpen ? null : tool)}
                    >
                      <BreakableName name={tool.tool} />
                    </button>
                    {tool.calls === 0 && <span class="tool-note">never used</span>}
                    {tool.allowed === false && <span class="tool-note">not allowed</span>}
                  </th>
                  {toolColumns.map((column) => (
                    <Cell key={column.key} column={column} tool={tool} />
                  ))}
                </tr>
                {isOpen && (
                  <tr class="details">
                    <td colSpan={toolColumns.length + 1}>
                      <ToolDetails index={index} set={set} tool={tool} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </ScrollingTable>
    </section>
  );
}

function Cell({ column, tool }: { column: ToolColumn; tool: ToolUse }) {
  const isBad = (column.key === 'errors' || column.key === 'rejected') && column.value(tool);
  return (
    <td class={`number ${column.always ? '' : 'wide-only'} ${isBad ? 'bad' : ''}`}>
      {isBad ? <OutcomeSign outcome="failed" /> : null}
      {column.text(tool)}
    </td>
  );
}

/** The table of resources and prompts. */
export function OthersTable({ report: { others, recorded } }: { report: ToolsReport }) {
  if (others.length === 0) return null;
  return (
    <section class="panel server-tools">
      <div class="panel-title">
        <h2>Resources and prompts</h2>
      </div>
      <ScrollingTable label="resources and prompts">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col" class="wide-only">
              Server
            </th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col" class="number wide-only">
              {recorded ? 'Sessions' : 'Task runs'}
            </th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ server, kind, name, calls, errors, taskRuns }) => (
            <tr key={`${server}/${kind}/${name}`}>
              <th scope="row">{formatName(name)}</th>
              <td>{kind}</td>
              <td class="wide-only">{formatName(server)}</td>
              <td class="number">{formatCount(calls)}</td>
              <td class="number">{formatCount(errors)}</td>
              <td class="number wide-only">{formatCount(taskRuns)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
    </section>
  );
}

interface ScrollingTableProps {
  label: string;
  children: ComponentChildren;
}

/** A table that may be wider than a phone: it scrolls instead of the page. */
function ScrollingTable({ label, children }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no form, and as a section one landmark too many
    <div
      class="table-scroll"
      data-scrolls
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard too
      tabIndex={0}
      aria-label={label}
    >
      <table>{children}</table>
    </div>
  );
}

/** A name that may wrap where its words end: `list_` `metrics`. */
function BreakableName({ name }: { name: string }) {
  return (
    <span>
      {formatName(name)
        .split(/(?<=[_\-./:])(?=\w)/)
        .map((word, place) => (
          <span key={place}>
            {place > 0 && <wbr />}
            {word}
          </span>
        ))}
    </span>
  );
}

interface ToolDetailsProps {
  index: ReportIndex;
  set: number;
  tool: ToolUse;
}

function ToolDetails({ index, set, tool }: ToolDetailsProps) {
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
