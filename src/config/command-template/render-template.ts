import { type Expression, splitFormat } from './go-expression.js';
import type { Template, TemplateNode } from './go-template.js';

type Field = Extract<Expression, { kind: 'field' }>;

/** What a template is filled with. */
interface TemplateData {
  /** By the names of the fields; what conditions and comparisons see. */
  values: Readonly<Record<string, string>>;
  /** What is written for a field, where that is not its value. */
  write?(field: Field): string | undefined;
  /** What `%q` writes for a text, where those are not Go's quotes. */
  quote?(text: string, expression: Expression): string | undefined;
}

/** Fills in a template that was parsed without problems. */
export function renderTemplate({ nodes }: Template, data: TemplateData): string {
  return renderNodes(nodes, data);
}

function renderNodes(nodes: readonly TemplateNode[], data: TemplateData): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'output') return renderExpression(node.expression, data);
      const branch = isTrue(evaluate(node.condition, data)) ? node.then : node.otherwise;
      return renderNodes(branch, data);
    })
    .join('');
}

/** What the output gets; only printf hands on what its arguments write. */
function renderExpression(expression: Expression, data: TemplateData): string {
  if (expression.kind === 'field')
    return data.write?.(expression) ?? getFieldValue(expression, data);
  if (expression.kind === 'call' && expression.name === 'printf') {
    return renderPrintf(expression.args, data, (value) => renderExpression(value, data));
  }
  return String(evaluate(expression, data));
}

function evaluate(expression: Expression, data: TemplateData): string | boolean {
  if (expression.kind === 'string') return expression.value;
  if (expression.kind === 'field') return getFieldValue(expression, data);
  const { name, args } = expression;
  if (name === 'printf') {
    return renderPrintf(args, { values: data.values }, (value) => String(evaluate(value, data)));
  }
  const values = args.map((argument) => evaluate(argument, data));
  const [first = '', ...others] = values;
  switch (name) {
    case 'not':
      return !isTrue(first);
    case 'and':
      return values.find((value) => !isTrue(value)) ?? others.at(-1) ?? first;
    case 'or':
      return values.find(isTrue) ?? others.at(-1) ?? first;
    case 'eq':
      return others.includes(first);
    case 'ne':
      return !others.includes(first);
    default:
      throw new Error(`the parser let the function ${name} through`);
  }
}

function getFieldValue({ name }: Field, { values }: TemplateData): string {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for .${name}`);
  return value;
}

function renderPrintf(
  [format, ...values]: readonly Expression[],
  data: TemplateData,
  write: (value: Expression) => string,
): string {
  const remaining = values.values();
  return splitFormat(format?.kind === 'string' ? format.value : '')
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const value = remaining.next().value;
      if (value === undefined) return '';
      if (part.verb !== 'q') return write(value);
      const text = String(evaluate(value, data));
      return data.quote?.(text, value) ?? quoteString(text);
    })
    .join('');
}

/** As Go has it: an empty text is false. */
function isTrue(value: string | boolean): boolean {
  return value !== '' && value !== false;
}

const shortEscapes = new Map(
  Object.entries({
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
    '\\': '\\\\',
    '"': '\\"',
  }),
);

/** A text as `%q` writes it: in double quotes, with Go's escapes for what cannot be printed. */
export function quoteString(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${formatHex(code, 2)}`;
  return code < 0x10000 ? `\\u${formatHex(code, 4)}` : `\\U${formatHex(code, 8)}`;
}

function formatHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
