import { escapeTerminalCharacters } from '../base/json-text.js';

/** JSON for standard output. */
export function jsonText(data: unknown): string {
  return `${escapeTerminalCharacters(JSON.stringify(data, null, 2))}\n`;
}
