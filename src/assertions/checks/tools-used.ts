import type { Check } from '../check.js';
import { type ToolItem, toolAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { EveryItem } from './every-item.js';

export function toolsUsed(items: readonly ToolItem[], redact: Redact): Check {
  return new EveryItem('tool', items.map(toolAskedFor), redact);
}
