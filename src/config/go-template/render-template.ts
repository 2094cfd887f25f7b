import type { Expression } from './go-expression.js';
import type { Template, TemplateNode } from './go-template.js';
import { formatParts } from './printf-format.js';
import { quoteString } from './quote-string.js';

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
      if (node.kind === 'output') return written(node.expression, data);
      const branch = isTrue(evaluate(node.condition, data)) ? node.then : node.otherwise;
      return renderNodes(branch, data);
    })
    .join('');
}

/** What the output gets; only printf hands on what its arguments write. */
function written(expression: Expression, data: TemplateData): string {
  if (expression.kind === 'field') return data.write?.(expression) ?? fieldValue(expression, data);
  if (expression.kind === 'call' && expression.name === 'printf') {
    return formatted(expression.args, data, (value) => written(value, data));
  }
  return String(evaluate(expression, data));
}

function evaluate(expression: Expression, data: TemplateData): string | boolean {
  if (expression.kind === 'string') return expression.value;
  if (expression.kind === 'field') return fieldValue(expression, data);
  const { name, args } = expression;
  if (name === 'printf') {
    return formatted(args, { values: data.values }, (value) => String(evaluate(value, data)));
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

function fieldValue({ name }: Field, { values }: TemplateData): string {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for .${name}`);
  return value;
}

function formatted(
  [format, ...values]: readonly Expression[],
  data: TemplateData,
  write: (value: Expression) => string,
): string {
  const remaining = values.values();
  return formatParts(format?.kind === 'string' ? format.value : '')
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
