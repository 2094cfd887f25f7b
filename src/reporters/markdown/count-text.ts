/** With separators: a table of Markdown has room for every digit. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}
