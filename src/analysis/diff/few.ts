import { boundedName } from '../summary/bounded-text.js';

const mostNamed = 5;

/** Names in a row, if there are not too many. */
export function few(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map(boundedName).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}
