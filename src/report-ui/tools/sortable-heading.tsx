import { SortMark } from '../elements/sort-mark.js';
import type { ToolOrder } from './tool-order.js';

interface SortableHeadingProps {
  by: string;
  title: string;
  explained: string;
  order: ToolOrder;
  onOrder: (order: ToolOrder) => void;
  class?: string;
}

/** The heading of a column; a click sorts by it, a second one turns the order round. */
export function SortableHeading(props: SortableHeadingProps) {
  const { by, title, explained, order, onOrder } = props;
  const isCurrent = order.by === by;
  // Of numbers the large ones are of interest, of names the first.
  const descending = isCurrent ? !order.descending : by !== 'tool';
  return (
    <th scope="col" class={props.class} aria-sort={isCurrent ? direction(order) : undefined}>
      <button
        type="button"
        class="plain"
        title={explained}
        onClick={() => onOrder({ by, descending })}
      >
        {title}
        {isCurrent && <SortMark descending={order.descending} />}
      </button>
    </th>
  );
}

function direction({ descending }: ToolOrder): 'descending' | 'ascending' {
  return descending ? 'descending' : 'ascending';
}
