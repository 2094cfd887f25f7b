import { printableJson } from '../base/json-text.js';

/** JSON for standard output. */
export function jsonText(data: unknown): string {
  return `${printableJson(JSON.stringify(data, null, 2))}\n`;
}
