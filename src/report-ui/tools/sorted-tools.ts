import type { ToolUse } from '../../analysis/tools/tool-usage.js';
import { toolColumns } from './tool-columns.js';
import type { ToolOrder } from './tool-order.js';

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
