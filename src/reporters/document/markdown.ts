import {
  type Block,
  type Document,
  isEmpty,
  type Line,
  limitRows,
  listSpans,
  listTableNotes,
  type Section,
  type Span,
  type Table,
  type Tone,
} from './document.js';

const longest = 300;
/** Characters that end a line or change the direction of text, and unpaired surrogates. */
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

type Place = 'text' | 'table';

/** Text from results as a code span, so that nothing in it is HTML, a link or a mention. */
export function formatCodeSpan(text: string, place: Place = 'text'): string {
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text;
  const line = cut.replace(/\s+/g, ' ').replace(unsafe, '\ufffd').trim();
  if (line === '') return '` `';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const padding = runs.length > 0 ? ' ' : '';
  const code = `${fence}${padding}${line}${padding}${fence}`;
  // A bar would end the cell; programs differ in how they read an escaped one after a backslash.
  return place === 'table' ? code.replaceAll('|', '¦') : code;
}

/** Renders a document as GitHub's Markdown. Its first line is a heading. */
export function renderMarkdown({ title, answer, notes, totals, blocks }: Document): string {
  const heading = [renderLine(title), ...(answer ? [renderLine(answer)] : [])].join(': ');
  return `${[
    `## ${heading}`,
    ...(notes.length > 0 ? [renderNotes(notes)] : []),
    ...(totals ? renderBlocks(totals.blocks) : []),
    ...renderBlocks(blocks),
  ].join('\n\n')}\n`;
}

function renderNotes(notes: readonly string[]): string {
  return notes.map((note) => `> ⚠️ ${formatCodeSpan(note)}`).join('\n>\n');
}

function renderBlocks(blocks: readonly Block[]): string[] {
  return blocks.filter((block) => !isEmpty(block)).map(renderBlock);
}

function renderBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return renderLine(block.text);
    case 'facts': {
      const { shown, rest } = limitRows(block.rows, block.noun, block.markdownLimit ?? block.limit);
      const lines = shown.map(({ name, text }) => `- ${renderLine(name)}: ${renderLine(text)}`);
      return joinWithRest(lines, rest);
    }
    case 'list': {
      const { items, noun, markdownLimit, limit } = block;
      const { shown, rest } = limitRows(items, noun, markdownLimit ?? limit);
      const lines = shown.flatMap(({ text, details = [] }) => [
        `- ${renderLine(text)}`,
        ...details.map((detail) => `  - ${renderLine(detail)}`),
      ]);
      return joinWithRest(lines, rest);
    }
    case 'table':
      return renderTable(block);
    case 'section':
      return renderSection(block);
  }
}

function renderSection({ title, blocks, isFolded }: Section): string {
  const content = renderBlocks(blocks).join('\n\n');
  if (!isFolded) return `### ${renderLine(title)}\n\n${content}`;
  // The empty lines make Markdown of what is inside.
  return `<details>\n<summary>${renderLine(title)}</summary>\n\n${content}\n\n</details>`;
}

function renderTable(table: Table): string {
  const { columns, rows, noun, markdownLimit, limit } = table;
  const { shown, rest } = limitRows(rows, noun, markdownLimit ?? limit);
  const lines = [
    columns.map(({ title }) => renderLine(title, 'table')),
    columns.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...shown.map((row) => row.map((cell = '-') => renderLine(cell, 'table'))),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = listTableNotes(columns, table).join('; ');
  const text = joinWithRest(lines, rest);
  return notes === '' ? text : `${text}\n\n<sub>${notes}</sub>`;
}

function joinWithRest(lines: readonly string[], rest: string | undefined): string {
  const text = lines.join('\n');
  return rest === undefined ? text : `${text}\n\n${rest}`;
}

const signs: Partial<Record<Tone, string>> = {
  good: '✅',
  bad: '❌',
  warning: '⚠️',
  open: '❔',
  same: '➖',
};

function renderLine(line: Line, place: Place = 'text'): string {
  return listSpans(line)
    .map((span) => renderSpan(span, place))
    .join('');
}

function renderSpan({ text, exact, tone, isQuoted, isVerdict }: Span, place: Place): string {
  const shown = isQuoted ? formatCodeSpan(text, place) : (exact ?? text);
  return isVerdict && tone ? `${signs[tone]} ${shown}` : shown;
}
