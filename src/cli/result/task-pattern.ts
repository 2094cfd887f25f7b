import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** The pattern of `--task`; undefined if there is none. */
export function taskPatternOf({ task }: CommandRun['options']): Pattern | undefined {
  return patternOf('--task', task);
}

/** The pattern that an option gives. Throws UsageError. */
export function patternOf(
  option: string,
  source: CommandRun['options'][string],
): Pattern | undefined {
  if (typeof source !== 'string') return undefined;
  const result = compilePattern(source);
  if (result.ok) return result.pattern;
  const marker = `${source}\n  ${' '.repeat(result.offset)}^`;
  throw new UsageError(`${option}: invalid pattern: ${result.reason}`, marker);
}
