/** The last lines of a text, and how many stood before them. */
export interface TextEnd {
  lines: string[];
  leftOut: number;
}

const maxLines = 20;
const maxLine = 500;

export function endOf(text: string): TextEnd {
  const all = text.split('\n');
  const lines = all.slice(-maxLines).map((line) => beginningOf(line.replace(/\r$/, ''), maxLine));
  return { lines, leftOut: all.length - lines.length };
}

/** The first lines of a text, and how many stood behind them. */
export interface TextBeginning {
  lines: string[];
  leftOut: number;
}

const maxFirstLines = 12;

export function firstLinesOf(text: string): TextBeginning {
  const all = text === '' ? [] : text.split('\n');
  const shown = all.slice(0, maxFirstLines);
  const lines = shown.map((line) => beginningOf(line.replace(/\r$/, ''), maxLine));
  return { lines, leftOut: all.length - lines.length };
}

const maxSentence = 2000;

/** What is said in one line, of a text that may have several. */
export function sentenceOf(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return beginningOf(lines.filter((line) => line !== '').join(' '), maxSentence);
}

export function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}
