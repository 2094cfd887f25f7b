import type { Check } from '../check.js';
import { type PromptItem, promptAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { NoItem } from './no-item.js';

export function promptsNotUsed(items: readonly PromptItem[], redact: Redact): Check {
  return new NoItem('prompt', items.map(promptAskedFor), redact);
}
