interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
  /** Where it is shown, from the root of the repository. */
  at?: { file: string; line: number } | undefined;
}

/** A line that GitHub makes an annotation of. Nothing in it can become another command. */
export function formatWorkflowCommand({ level, title, message, at }: Annotation): string {
  const properties = [
    ...(at ? [`file=${escapeProperty(at.file)}`, `line=${at.line}`] : []),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function escapeData(text: string): string {
  return showControlCharacters(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/** Other control characters are shown as symbols, or replaced. */
function showControlCharacters(text: string): string {
  return text.replace(/(?![\r\n])[\p{Cc}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/**
 * Text for the log of GitHub Actions, piece by piece, in which nothing is a workflow command. GitHub
 * looks for `::` at the start of a line, spaces before it or not, and for `##[` anywhere: there, an
 * invisible space is put between. An agent or a server could set outputs, or switch annotations off.
 */
export class WorkflowCommandEscaper {
  readonly #bracket: string;
  /** As much of the line so far as decides about what comes next. */
  #before = '';

  /** JSON has another way to write a bracket. */
  constructor(kind: 'text' | 'json' = 'text') {
    this.#bracket = kind === 'json' ? '\\u005b' : '\u200b[';
  }

  escape(text: string): string {
    const joined = `${this.#before}${text}`;
    const line = joined.slice(Math.max(joined.lastIndexOf('\n'), joined.lastIndexOf('\r')) + 1);
    const inert = joined
      .replace(/(?<=^[^\S\r\n]*:)(?=:)/gm, '\u200b')
      .replace(/(?<=##)\[/g, () => this.#bracket)
      .slice(this.#before.length);
    this.#before = summarizeLineStart(line);
    return inert;
  }
}

/** Stands for a line in as few characters as matter. */
function summarizeLineStart(line: string): string {
  const [, colon] = /^\s*(:?)$/.exec(line) ?? [];
  return colon ?? `-${line.slice(-2)}`;
}
