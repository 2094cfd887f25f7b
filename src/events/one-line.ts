/** A line break in JSON can only be space between tokens: inside of strings it is escaped. */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}
