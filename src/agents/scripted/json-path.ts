import { readTextAt } from '../../base/json-text.js';
import { parseFieldPath } from '../../config/field-path.js';

/** The value at a path such as `.items[0].id` in a valid JSON text, as it stands there. */
export function jsonAt(json: string, path: string): string | undefined {
  const parts = parseFieldPath(path.replace(/^\./, ''));
  return parts && readTextAt(json, parts);
}
