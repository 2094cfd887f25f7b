import { parseFieldPath } from '../../base/json.js';
import { jsonPart } from '../../events/json-part.js';

/** The value at a path such as `.items[0].id` in a valid JSON text, as it stands there. */
export function jsonAt(json: string, path: string): string | undefined {
  const parts = parseFieldPath(path.replace(/^\./, ''));
  return parts && jsonPart(json, parts);
}
