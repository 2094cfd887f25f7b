import type { Check } from '../check.js';
import { type PromptItem, promptAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { EveryItem } from './every-item.js';

export function promptsUsed(items: readonly PromptItem[], redact: Redact): Check {
  return new EveryItem('prompt', items.map(promptAskedFor), redact);
}
