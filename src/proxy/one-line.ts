/** Line ends in a JSON text stand between its parts, where a space means the same. */
export function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text;
}
