interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
  /** Where it is shown, from the root of the repository. */
  at?: { file: string; line: number } | undefined;
}

/** A line that GitHub makes an annotation of. Nothing in it can become another command. */
export function workflowCommand({ level, title, message, at }: Annotation): string {
  const properties = [
    ...(at ? [`file=${property(at.file)}`, `line=${at.line}`] : []),
    `title=${property(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${data(message)}\n`;
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Other control characters are shown as symbols, or replaced. */
function visible(text: string): string {
  return text.replace(/(?![\r\n])[\p{Cc}\p{Cs}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}
