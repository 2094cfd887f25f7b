import { createHash } from 'node:crypto';
import type { TaskRunRecord } from '../results/task-run-record.js';

const maxNameLength = 300;
const maxSentenceLength = 500;

/**
 * A name out of a file, of which many are kept: one that is longer than any name is cut, and still
 * differs from others that begin like it.
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

/** Otherwise the part would keep the whole text in memory; half a character is left out. */
function copyText(part: string): string {
  return Buffer.from(part.replace(/[\ud800-\udbff]$/, '')).toString();
}

/** Labels of a task, more than anybody gives it. */
const maxLabels = 50;

export function boundLabels(labels: TaskRunRecord['labels']): Readonly<Record<string, string>> {
  const entries = Object.entries(labels).slice(0, maxLabels);
  return Object.fromEntries(
    entries.map(([key, value]) => [boundName(key), boundName(value)] as const),
  );
}

const maxNamed = 5;

/** Names in a row, if there are not too many. */
export function summarizeNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map(boundName).join(', ');
  return names.length > maxNamed ? `${shown} and ${names.length - maxNamed} more` : shown;
}
