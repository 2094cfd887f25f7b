import type { Check } from '../check.js';
import { type SkillItem, skillAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';
import { NoItem } from './no-item.js';

export function skillsNotLoaded(items: readonly SkillItem[], redact: Redact): Check {
  return new NoItem('skill', items.map(skillAskedFor), redact);
}
