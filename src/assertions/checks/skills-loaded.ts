import type { Check } from '../check.js';
import { type SkillItem, skillAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { EveryItem } from './every-item.js';

export function skillsLoaded(items: readonly SkillItem[], redact: Redact): Check {
  return new EveryItem('skill', items.map(skillAskedFor), redact);
}
