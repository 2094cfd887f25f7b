import { dropPartialLastWord } from '../../base/text.js';
import type { EventSink } from '../../journal/event.js';

/**
 * A text of bounded length. What is cut first and redacted later may hold half a secret; by the sign
 * at the cut the redactor finds that too.
 */
export function redactedBeginning(sink: EventSink, text: string, length: number): string {
  if (text.length <= length) return text;
  const redacted = sink.redact(dropPartialLastWord(text.slice(0, 2 * length)));
  return `${redacted.slice(0, length)} …`;
}
