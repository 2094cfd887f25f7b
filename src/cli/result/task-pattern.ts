import { compilePattern, type Pattern } from '../../config/pattern.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** The pattern of `--task`; undefined if there is none. */
export function taskPatternOf({ task }: CommandRun['options']): Pattern | undefined {
  if (typeof task !== 'string') return undefined;
  const result = compilePattern(task);
  if (result.ok) return result.pattern;
  const marker = `${task}\n  ${' '.repeat(result.offset)}^`;
  throw new UsageError(`--task: invalid pattern: ${result.reason}`, marker);
}
