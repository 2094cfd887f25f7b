import type { Check } from '../check.js';
import { type ResourceItem, resourceAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { EveryItem } from './every-item.js';

export function resourcesRead(items: readonly ResourceItem[], redact: Redact): Check {
  return new EveryItem('resource', items.map(resourceAskedFor), redact);
}
