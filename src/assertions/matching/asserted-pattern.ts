import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';

/** A pattern of an assertion. Reading the file has refused those that do not compile. */
export function assertedPattern(source: string): Pattern {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(`invalid pattern ${JSON.stringify(source)}: ${result.reason}`);
  return result.pattern;
}
