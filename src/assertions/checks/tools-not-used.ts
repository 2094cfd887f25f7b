import type { Check } from '../check.js';
import { type ToolItem, toolAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { NoItem } from './no-item.js';

export function toolsNotUsed(items: readonly ToolItem[], redact: Redact): Check {
  return new NoItem('tool', items.map(toolAskedFor), redact);
}
