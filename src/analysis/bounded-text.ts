import { createHash } from 'node:crypto';
import type { TaskRunRecord } from '../results/task-run-record.js';

const maxNameLength = 300;
const maxSentenceLength = 500;

/**
 * Truncates a name from a file to a bounded length, as many names are kept. A digest keeps it different from
 * others with the same beginning.
 */
export function boundName(name: string): string {
  if (name.length <= maxNameLength) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${copyText(name.slice(0, maxNameLength))} … ${mark}`;
}

export function boundSentence(text: string): string {
  if (text.length <= maxSentenceLength) return text;
  return `${copyText(text.slice(0, maxSentenceLength))} …`;
}

/** Copies a part of a text, which would otherwise keep the whole text in memory. Drops half a character. */
function copyText(part: string): string {
  return Buffer.from(part.replace(/[\ud800-\udbff]$/, '')).toString();
}

/** Further labels of a task are dropped. */
const maxLabels = 50;

export function boundLabels(labels: TaskRunRecord['labels']): Readonly<Record<string, string>> {
  const entries = Object.entries(labels).slice(0, maxLabels);
  return Object.fromEntries(
    entries.map(([key, value]) => [boundName(key), boundName(value)] as const),
  );
}

const maxNamed = 5;

/** The first names, and how many more there are. */
export function summarizeNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map(boundName).join(', ');
  return names.length > maxNamed ? `${shown} and ${names.length - maxNamed} more` : shown;
}
