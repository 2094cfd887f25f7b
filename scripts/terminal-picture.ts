/** Turns what a command prints on a terminal into an SVG for the README. */

const lineHeight = 19;
const characterWidth = 8.43;
const padding = 18;

const colors: Record<number, string> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  36: '#79c0ff',
};

const dimColor = '#8b949e';

interface Look {
  bold: boolean;
  dim: boolean;
  underline: boolean;
  color: string | undefined;
}

const plain: Look = { bold: false, dim: false, underline: false, color: undefined };

export function terminalPicture(command: string, output: string): string {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, ...output.trimEnd().split('\n')];
  const columns = Math.max(...lines.map((line) => withoutCodes(line).length));
  const width = Math.ceil(columns * characterWidth + 2 * padding);
  const height = lines.length * lineHeight + 2 * padding;
  const text = lines.map((line, index) => {
    const y = padding + (index + 0.75) * lineHeight;
    return `  <text x="${padding}" y="${y}">${spans(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escaped(command)}</title>`,
    '  <style>text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }</style>',
    `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...text,
    '</svg>',
    '',
  ].join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
const code = /\u001b\[(\d+)m/g;

function withoutCodes(line: string): string {
  return line.replace(code, '');
}

function spans(line: string): string {
  let look = plain;
  let column = 0;
  // Splitting by a pattern with a group gives text and code in turn.
  return line
    .split(code)
    .map((part, index) => {
      if (index % 2 === 1) {
        look = changed(look, Number(part));
        return '';
      }
      const start = column;
      column += part.length;
      // Not every program that shows SVG keeps runs of spaces, so each word group gets its place.
      const groups = [...part.matchAll(/\S+(?: \S+)*/g)];
      return groups.map((group) => span(group[0], start + group.index, look)).join('');
    })
    .join('');
}

function span(text: string, column: number, look: Look): string {
  const x = (padding + column * characterWidth).toFixed(1);
  return `<tspan x="${x}"${attributes(look)}>${escaped(text)}</tspan>`;
}

function changed(look: Look, sgr: number): Look {
  if (sgr === 0) return plain;
  if (sgr === 1) return { ...look, bold: true };
  if (sgr === 2) return { ...look, dim: true };
  if (sgr === 22) return { ...look, bold: false, dim: false };
  if (sgr === 4 || sgr === 24) return { ...look, underline: sgr === 4 };
  return { ...look, color: colors[sgr] };
}

function attributes({ bold, dim, underline, color }: Look): string {
  return [
    bold ? ' font-weight="bold"' : '',
    underline ? ' text-decoration="underline"' : '',
    color || dim ? ` fill="${color ?? dimColor}"` : '',
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
