import { useRef } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import { exactCount } from '../elements/amounts.js';
import { useMedia } from '../elements/use-media.js';
import { VirtualRows } from '../elements/virtual-rows.js';
import { columnWidths, listColumns, SortHeaders, SortSelect } from './run-list-headers.js';
import { RunListRow } from './run-list-row.js';
import type { Searchable } from './searchable.js';
import { useListKeys } from './use-list-keys.js';
import type { View } from './view.js';

interface RunListProps {
  searchable: Searchable;
  /** In the order in which they are shown. */
  rows: readonly number[];
  sort: View['sort'];
  onSort: (sort: View['sort']) => void;
}

/** As in the styles. */
const wideRow = 36;
const narrowRow = 88;
const printedRows = 300;

export function RunList({ searchable, rows, sort, onSort }: RunListProps) {
  const rowHeight = useMedia('(max-width: 1000px)') ? narrowRow : wideRow;
  const list = useRef<HTMLTableElement>(null);
  const linkRef = useListKeys(list, rows.length, rowHeight);
  const columns = listColumns(searchable);
  const unit = getUsageUnit(searchable.index);
  return (
    <section class="panel runs" aria-labelledby="runs-title">
      <div class="panel-title">
        <h2 id="runs-title">{searchable.index.recorded ? 'Sessions' : 'Task runs'}</h2>
        <span class="quiet">{exactCount(rows.length)}</span>
        <SortSelect index={searchable.index} columns={columns} sort={sort} onSort={onSort} />
      </div>
      {rows.length === 0 ? (
        <p class="nothing">
          {searchable.count === 0
            ? `there is no ${unit}`
            : `no ${unit} is like that: clear a filter to see more`}
        </p>
      ) : (
        <table
          class="run-list"
          style={{ '--columns': columnWidths(columns) }}
          aria-labelledby="runs-title"
          aria-rowcount={rows.length + 1}
          ref={list}
        >
          <SortHeaders index={searchable.index} columns={columns} sort={sort} onSort={onSort} />
          <VirtualRows
            count={rows.length}
            rowHeight={rowHeight}
            printed={printedRows}
            row={(place) => (
              <RunListRow
                key={rows[place]}
                searchable={searchable}
                columns={columns}
                place={rows[place] ?? 0}
                row={place}
                linkRef={linkRef}
              />
            )}
          />
        </table>
      )}
      {rows.length > printedRows && (
        <p class="print-only nothing">
          {`the first ${printedRows} of ${exactCount(rows.length)}; open the report to see all`}
        </p>
      )}
    </section>
  );
}
