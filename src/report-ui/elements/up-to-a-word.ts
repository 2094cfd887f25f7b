/** The beginning of a text without half a word at its end; but where there is none, some of it. */
export function upToAWord(text: string, end: number): string {
  const space = text.lastIndexOf(' ', end);
  return text.slice(0, space > end / 2 ? space : end);
}
