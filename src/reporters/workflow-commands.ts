interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
  /** Where it is shown, from the root of the repository. */
  at?: { file: string; line: number } | undefined;
}

/** A line that GitHub turns into an annotation. Its content cannot become another command. */
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

/** Shows control characters other than line ends as symbols, or replaces them. */
function showControlCharacters(text: string): string {
  return text.replace(/(?![\r\n])[\p{Cc}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/**
 * Escapes text for the log of GitHub Actions, piece by piece, so that nothing in it is a workflow command: an agent
 * or a server could set outputs, or switch annotations off. GitHub looks for `::` at the start of a line, after
 * optional spaces, and for `##[` anywhere; there an invisible space is inserted.
 */
export class WorkflowCommandEscaper {
  readonly #bracket: string;
  /** As much of the current line as is needed to escape the next piece. */
  #before = '';

  /** In JSON a bracket is escaped instead. */
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

/** The characters of a line that matter for what follows. */
function summarizeLineStart(line: string): string {
  const [, colon] = /^\s*(:?)$/.exec(line) ?? [];
  return colon ?? `-${line.slice(-2)}`;
}
