import type { Check } from '../check.js';
import { type ResourceItem, resourceAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { NoItem } from './no-item.js';

export function resourcesNotRead(items: readonly ResourceItem[], redact: Redact): Check {
  return new NoItem('resource', items.map(resourceAskedFor), redact);
}
