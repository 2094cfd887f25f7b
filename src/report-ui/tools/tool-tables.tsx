import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ToolsReport, ToolUse } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount } from '../elements/amounts.js';
import { OutcomeSign, SortHeading } from '../elements/graphics.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import {
  formatToolKey,
  sortTools,
  type ToolColumn,
  type ToolOrder,
  toolColumns,
} from './tool-columns.js';
import { ToolDetails } from './tool-details.js';

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
