import type { ToolUse } from '../../analysis/tools/tool-usage.js';
import { durationText, exactCount, percentText, shortCount } from '../elements/amounts.js';

/** A column of numbers in the table of tools. */
export interface ToolColumn {
  key: string;
  title: string;
  /** What it counts, where the title alone does not say. */
  explained: string;
  value: (tool: ToolUse) => number | null;
  text: (tool: ToolUse) => string;
  /** Still there on a phone; the details have the others. */
  always?: boolean;
}

export const toolColumns: readonly ToolColumn[] = [
  {
    key: 'calls',
    title: 'Calls',
    explained: 'how often it was called',
    value: ({ calls }) => calls,
    text: ({ calls }) => exactCount(calls),
    always: true,
  },
  {
    key: 'share',
    title: 'Runs',
    explained: 'share of the task runs, or sessions, with this server that used it',
    value: ({ share }) => share,
    text: ({ share }) => percentText(share),
  },
  {
    key: 'errors',
    title: 'Errors',
    explained: 'calls that failed, and their share',
    value: ({ errorRate }) => errorRate,
    text: ({ errors, errorRate }) =>
      errors === 0 ? '0' : `${exactCount(errors)} (${percentText(errorRate)})`,
    always: true,
  },
  {
    key: 'rejected',
    title: 'Rejected',
    explained: 'errors that say that the arguments are wrong',
    value: ({ rejected }) => rejected,
    text: ({ rejected }) => exactCount(rejected),
  },
  {
    key: 'suspected',
    title: 'Suspect',
    explained: 'results that look like errors and are not marked isError',
    value: ({ suspected }) => suspected,
    text: ({ suspected }) => exactCount(suspected),
  },
  {
    key: 'p50',
    title: 'p50',
    explained: 'half of the calls took at most so long',
    value: ({ durationMs }) => durationMs?.p50 ?? null,
    text: ({ durationMs }) => durationText(durationMs?.p50 ?? null),
  },
  {
    key: 'p95',
    title: 'p95',
    explained: '95 of 100 calls took at most so long',
    value: ({ durationMs }) => durationMs?.p95 ?? null,
    text: ({ durationMs }) => durationText(durationMs?.p95 ?? null),
  },
  {
    key: 'in',
    title: 'Tokens in',
    explained: 'tokens of all arguments',
    value: ({ tokens }) => tokens?.args ?? null,
    text: ({ tokens }) => shortCount(tokens?.args ?? null),
  },
  {
    key: 'out',
    title: 'Tokens out',
    explained: 'tokens of all results',
    value: ({ tokens }) => tokens?.result ?? null,
    text: ({ tokens }) => shortCount(tokens?.result ?? null),
  },
  {
    key: 'schema',
    title: 'Schema',
    explained: 'tokens of its definition, which the model reads every time',
    value: ({ schemaTokens }) => schemaTokens,
    text: ({ schemaTokens }) => shortCount(schemaTokens),
  },
];

/** Names a tool in the page and in its address. */
export function toolKey({ server, tool }: { server: string; tool: string }): string {
  return `${server}/${tool}`;
}

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

/** What is not known comes last, whichever the order; equal ones by name. */
export function sortedTools(tools: readonly ToolUse[], { by, descending }: ToolOrder): ToolUse[] {
  const column = toolColumns.find(({ key }) => key === by);
  const sign = descending ? -1 : 1;
  if (!column) return [...tools].sort((left, right) => sign * byName(left, right));
  return [...tools].sort((left, right) => {
    const [one, other] = [column.value(left), column.value(right)];
    if (one === null || other === null) {
      return Number(one === null) - Number(other === null) || byName(left, right);
    }
    return sign * (one - other) || byName(left, right);
  });
}

function byName(left: ToolUse, right: ToolUse): number {
  return left.tool < right.tool ? -1 : left.tool > right.tool ? 1 : 0;
}
