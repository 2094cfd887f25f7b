import { toolColumns } from './tool-columns.js';

/** How the tools of a server are sorted. */
export interface ToolOrder {
  /** Key of a column, or `tool`: by name. */
  by: string;
  descending: boolean;
}

const firstOrder: ToolOrder = { by: 'calls', descending: true };

/** As it stands in an address; null: as at first. */
export function orderText(order: ToolOrder): string | null {
  const text = textOf(order);
  return text === textOf(firstOrder) ? null : text;
}

export function parseOrder(text: string | null): ToolOrder {
  const by = text?.replace(/^-/, '');
  const isKnown = by === 'tool' || toolColumns.some(({ key }) => key === by);
  return by !== undefined && isKnown
    ? { by, descending: text?.startsWith('-') === true }
    : firstOrder;
}

function textOf({ by, descending }: ToolOrder): string {
  return descending ? `-${by}` : by;
}
