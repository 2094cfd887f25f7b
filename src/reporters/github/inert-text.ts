/**
 * Text for the log of GitHub Actions, piece by piece, in which nothing is a workflow command. GitHub
 * looks for `::` at the start of a line, spaces before it or not, and for `##[` anywhere: there, an
 * invisible space is put between. An agent or a server could set outputs, or switch annotations off.
 */
export class InertText {
  readonly #bracket: string;
  /** As much of the line so far as decides about what comes next. */
  #before = '';

  /** JSON has another way to write a bracket. */
  constructor(kind: 'text' | 'json' = 'text') {
    this.#bracket = kind === 'json' ? '\\u005b' : '\u200b[';
  }

  of(text: string): string {
    const joined = `${this.#before}${text}`;
    const line = joined.slice(Math.max(joined.lastIndexOf('\n'), joined.lastIndexOf('\r')) + 1);
    const inert = joined
      .replace(/(?<=^[^\S\r\n]*:)(?=:)/gm, '\u200b')
      .replace(/(?<=##)\[/g, () => this.#bracket)
      .slice(this.#before.length);
    this.#before = startOf(line);
    return inert;
  }
}

/** Stands for a line in as few characters as matter. */
function startOf(line: string): string {
  const [, colon] = /^\s*(:?)$/.exec(line) ?? [];
  return colon ?? `-${line.slice(-2)}`;
}
