import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ToolUse } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { BreakableName } from '../elements/breakable-name.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { usePrinting } from '../elements/use-printing.js';
import { ScrollingTable } from './scrolling-table.js';
import { SortableHeading } from './sortable-heading.js';
import { sortedTools } from './sorted-tools.js';
import { type ToolColumn, toolColumns } from './tool-columns.js';
import { ToolDetails } from './tool-details.js';
import { toolKey } from './tool-key.js';
import type { ToolOrder } from './tool-order.js';

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

/** The tools of a server, each with its details on demand. */
export function ServerTools(props: ServerToolsProps) {
  const { index, set, server, about, tools, order, onOrder, chosen, onChoose } = props;
  const sorted = useMemo(() => sortedTools(tools, order), [tools, order.by, order.descending]);
  const printing = usePrinting();
  const heading = { order, onOrder };
  return (
    <section class="panel server-tools">
      <div class="panel-title">
        <h2>{shortName(server)}</h2>
        <span class="quiet">{about}</span>
      </div>
      <ScrollingTable label={`tools of ${shortName(server)}`}>
        <thead>
          <tr>
            <SortableHeading {...heading} by="tool" title="Tool" explained="its name" />
            {toolColumns.map(({ key, title, explained, always }) => (
              <SortableHeading
                key={key}
                {...heading}
                by={key}
                title={title}
                explained={explained}
                class={always ? 'number' : 'number wide-only'}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((tool) => {
            const key = toolKey(tool);
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
