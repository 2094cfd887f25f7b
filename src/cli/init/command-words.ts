/**
 * The words of a command line as people type it, with quotes and backslashes as a shell has them.
 * Undefined: a quote does not end. Nothing is expanded.
 */
export function commandWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at];
    } else if (quote !== '') {
      if (letter === quote) quote = '';
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
