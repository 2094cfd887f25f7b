import type { ToolUse } from '../../analysis/tools/tool-usage.js';
import { compareText } from '../../base/text.js';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatShortCount,
} from '../elements/amounts.js';

/** A column of numbers in the table of tools. */
export interface ToolColumn {
  key: string;
  title: string;
  /** What the column counts, shown as a tooltip. */
  explained: string;
  value: (tool: ToolUse) => number | null;
  text: (tool: ToolUse) => string;
  /** Whether it is shown on a phone, too; the others are in the details there. */
  always?: boolean;
}

export const toolColumns: readonly ToolColumn[] = [
  {
    key: 'calls',
    title: 'Calls',
    explained: 'how often it was called',
    value: ({ calls }) => calls,
    text: ({ calls }) => formatCount(calls),
    always: true,
  },
  {
    key: 'share',
    title: 'Runs',
    explained: 'share of the task runs, or sessions, with this server that used it',
    value: ({ share }) => share,
    text: ({ share }) => formatPercent(share),
  },
  {
    key: 'errors',
    title: 'Errors',
    explained: 'calls that failed, and their share',
    value: ({ errorRate }) => errorRate,
    text: ({ errors, errorRate }) =>
      errors === 0 ? '0' : `${formatCount(errors)} (${formatPercent(errorRate)})`,
    always: true,
  },
  {
    key: 'rejected',
    title: 'Rejected',
    explained: 'errors that reject the arguments',
    value: ({ rejected }) => rejected,
    text: ({ rejected }) => formatCount(rejected),
  },
  {
    key: 'suspected',
    title: 'Suspect',
    explained: 'results that look like errors but are not marked isError',
    value: ({ suspected }) => suspected,
    text: ({ suspected }) => formatCount(suspected),
  },
  {
    key: 'p50',
    title: 'p50',
    explained: 'half of the calls took no longer than this',
    value: ({ durationMs }) => durationMs?.p50 ?? null,
    text: ({ durationMs }) => formatDuration(durationMs?.p50 ?? null),
  },
  {
    key: 'p95',
    title: 'p95',
    explained: '95% of the calls took no longer than this',
    value: ({ durationMs }) => durationMs?.p95 ?? null,
    text: ({ durationMs }) => formatDuration(durationMs?.p95 ?? null),
  },
  {
    key: 'in',
    title: 'Tokens in',
    explained: 'tokens of all arguments',
    value: ({ tokens }) => tokens?.args ?? null,
    text: ({ tokens }) => formatShortCount(tokens?.args ?? null),
  },
  {
    key: 'out',
    title: 'Tokens out',
    explained: 'tokens of all results',
    value: ({ tokens }) => tokens?.result ?? null,
    text: ({ tokens }) => formatShortCount(tokens?.result ?? null),
  },
  {
    key: 'schema',
    title: 'Schema',
    explained: 'tokens of its definition, which the model reads with every request',
    value: ({ schemaTokens }) => schemaTokens,
    text: ({ schemaTokens }) => formatShortCount(schemaTokens),
  },
];

/** The key of a tool in the page and in its address. */
export function formatToolKey({ server, tool }: { server: string; tool: string }): string {
  return `${server}/${tool}`;
}

/** How the tools of a server are sorted. */
export interface ToolOrder {
  /** Key of a column, or `tool` for the name. */
  by: string;
  descending: boolean;
}

const firstOrder: ToolOrder = { by: 'calls', descending: true };

/** Formats an order for the address; null: the default order. */
export function formatToolOrder(order: ToolOrder): string | null {
  const text = formatOrderText(order);
  return text === formatOrderText(firstOrder) ? null : text;
}

export function parseToolOrder(text: string | null): ToolOrder {
  const by = text?.replace(/^-/, '');
  const isKnown = by === 'tool' || toolColumns.some(({ key }) => key === by);
  return by !== undefined && isKnown
    ? { by, descending: text?.startsWith('-') === true }
    : firstOrder;
}

function formatOrderText({ by, descending }: ToolOrder): string {
  return descending ? `-${by}` : by;
}

/**
 * Sorts tools. Values that are not known are last in both directions; equals are in the order of
 * names.
 */
export function sortTools(tools: readonly ToolUse[], { by, descending }: ToolOrder): ToolUse[] {
  const column = toolColumns.find(({ key }) => key === by);
  const sign = descending ? -1 : 1;
  if (!column) return [...tools].sort((left, right) => sign * compareNames(left, right));
  return [...tools].sort((left, right) => {
    const [one, other] = [column.value(left), column.value(right)];
    if (one === null || other === null) {
      return Number(one === null) - Number(other === null) || compareNames(left, right);
    }
    return sign * (one - other) || compareNames(left, right);
  });
}

function compareNames(left: ToolUse, right: ToolUse): number {
  return compareText(left.tool, right.tool);
}
