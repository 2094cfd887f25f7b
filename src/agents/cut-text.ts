import { withoutBrokenEnd } from '../config/whole-words.js';

/** The beginning of a text, with a sign that it is not all of it. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${withoutBrokenEnd(text.slice(0, maxLength))} …`;
}
