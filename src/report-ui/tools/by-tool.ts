import { toolKey } from './tool-key.js';

/** Together what is about one tool; the order stays that of the first of each. */
export function byTool<Item extends { server: string; tool: string }>(
  items: readonly Item[],
): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(toolKey(item));
    if (group) group.push(item);
    else groups.set(toolKey(item), [item]);
  }
  return [...groups.values()];
}
