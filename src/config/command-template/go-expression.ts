import { findNearest } from '../../base/nearest.js';
import { parseStringLiteral, type Report, type Span, type Token } from './template-tokens.js';

export type Expression = Span &
  (
    | { kind: 'field'; name: string }
    | { kind: 'string'; value: string }
    | { kind: 'call'; name: string; args: Expression[] }
  );

/** Keeps expressions so flat that code may walk them recursively. */
const nestingLimit = 50;
const argumentCounts = new Map([
  ['printf', { least: 1, most: Number.POSITIVE_INFINITY }],
  ['not', { least: 1, most: 1 }],
  ['and', { least: 1, most: Number.POSITIVE_INFINITY }],
  ['or', { least: 1, most: Number.POSITIVE_INFINITY }],
  ['eq', { least: 2, most: Number.POSITIVE_INFINITY }],
  ['ne', { least: 2, most: 2 }],
]);
const supportedFunctions = `supported are ${[...argumentCounts.keys()].join(', ')}`;
const unexpectedHints = new Map([
  ['-', 'a trim marker is written "{{- " or " -}}", with white space on its inner side'],
  ['/', 'a comment is written "{{/*" or "{{- /*", and ends in "*/}}" or "*/ -}}"'],
]);

/** Reads what stands between a `{{` and its `}}`: an expression, behind a keyword or alone. */
export class ExpressionParser {
  readonly #tokens: readonly Token[];
  readonly #fields: readonly string[];
  readonly #report: Report;
  #next = 0;

  constructor(tokens: readonly Token[], fields: readonly string[], report: Report) {
    this.#tokens = tokens;
    this.#fields = fields;
    this.#report = report;
  }

  /** Passes a keyword, or only the wanted one, if it comes next. */
  takeKeyword(wanted?: string): Token | undefined {
    const token = this.#peek();
    if (token?.kind !== 'keyword' || token.text !== (wanted ?? token.text)) return undefined;
    this.#next++;
    return token;
  }

  /** Reads to the end; the span is that of the whole, to report where no token is to blame. */
  parse(around: Span): Expression | undefined {
    const nested = this.#tokens.filter(({ kind }) => kind === 'pipe' || kind === 'open');
    if (nested.length > nestingLimit) {
      return this.#report(around, `more than ${nestingLimit} parentheses and pipes in one action`);
    }
    const expression = this.#readPipeline(around);
    if (expression) this.expectEnd();
    return expression;
  }

  expectEnd() {
    const token = this.#peek();
    if (token) this.#unexpected(token);
  }

  /** The next token that is not white space. */
  #peek(): Token | undefined {
    while (this.#tokens[this.#next]?.kind === 'space') this.#next++;
    return this.#tokens[this.#next];
  }

  #unexpected(token: Token): undefined {
    return this.#report(token, `unexpected ${token.text}`, unexpectedHints.get(token.text));
  }

  #readPipeline(around: Span): Expression | undefined {
    let value = this.#readCommand(around, undefined);
    while (value && this.#peek()?.kind === 'pipe') {
      const pipe = this.#tokens[this.#next++];
      value = this.#readCommand(pipe ?? around, value);
    }
    return value;
  }

  /** A value alone, or a function with its arguments, of which a piped value is the last. */
  #readCommand(around: Span, piped: Expression | undefined): Expression | undefined {
    const first = this.#peek();
    if (first === undefined || first.kind === 'pipe' || first.kind === 'close') {
      return this.#report(first ?? around, 'a value is missing here');
    }
    const isCall = first.kind === 'word';
    if (isCall && !argumentCounts.has(first.text)) return this.#unsupportedWord(first);
    if (isCall) this.#next++;
    const args: Expression[] = [];
    for (;;) {
      const before = this.#next;
      const token = this.#peek();
      if (token === undefined || token.kind === 'pipe' || token.kind === 'close') break;
      const touches = this.#next === before && (isCall || args.length > 0);
      const operand = touches ? this.#unexpected(token) : this.#readOperand(token);
      if (operand === undefined) return undefined;
      args.push(operand);
    }
    if (isCall) return this.#call(first, piped ? [...args, piped] : args);
    const [value, extra] = args;
    if (extra) return this.#report(extra, 'only a function takes arguments', supportedFunctions);
    if (piped) return this.#report(first, 'a pipe must lead to a function', supportedFunctions);
    return value;
  }

  #readOperand(token: Token): Expression | undefined {
    this.#next++;
    const { offset, length, text } = token;
    if (token.kind === 'field') return this.#field(token);
    if (token.kind === 'string') {
      const value = parseStringLiteral(text);
      if (value !== undefined) return { kind: 'string', value, offset, length };
      return this.#report(token, 'this string is not valid in Go');
    }
    if (token.kind === 'open') {
      const inner = this.#readPipeline(token);
      if (inner === undefined) return undefined;
      const close = this.#peek();
      if (close === undefined) return this.#report(token, 'this ( is not closed', 'add ")"');
      this.#next++;
      return inner;
    }
    return token.kind === 'word' ? this.#unsupportedWord(token) : this.#unexpected(token);
  }

  #unsupportedWord(token: Token): undefined {
    const { text } = token;
    if (argumentCounts.has(text)) {
      return this.#report(token, `a call of ${text} within a call needs parentheses`);
    }
    if (text.startsWith('$')) {
      return this.#report(token, 'variables are not supported in these templates');
    }
    const isConstant = /^(?:true|false|nil|[0-9].*)$/u.test(text);
    const what = isConstant ? text : `the function ${text}`;
    const hint = isConstant ? 'use a field or a string' : supportedFunctions;
    return this.#report(token, `${what} is not supported in these templates`, hint);
  }

  #field(token: Token): Expression | undefined {
    const { offset, length } = token;
    const name = token.text.slice(1);
    const available = this.#fields.map((field) => `.${field}`).join(', ');
    const fields = available === '' ? 'no field is available here' : `available are ${available}`;
    if (name === '') return this.#report(token, 'the dot alone is not supported', fields);
    if (name.includes('.')) {
      return this.#report(token, `a chain such as ${token.text} is not supported`, fields);
    }
    if (!this.#fields.includes(name)) {
      const near = findNearest(name, this.#fields);
      this.#report(token, `unknown field .${name}`, near ? `did you mean .${near}?` : fields);
    }
    return { kind: 'field', name, offset, length };
  }

  #call(word: Token, args: Expression[]): Expression | undefined {
    let { offset, length } = word;
    for (const argument of args) {
      const end = Math.max(offset + length, argument.offset + argument.length);
      offset = Math.min(offset, argument.offset);
      length = end - offset;
    }
    const call = { kind: 'call' as const, name: word.text, args, offset, length };
    const counts = argumentCounts.get(word.text);
    if (counts && (args.length < counts.least || args.length > counts.most)) {
      const some = args.length < counts.least ? 'few' : 'many';
      return this.#report(word, `too ${some} arguments for ${word.text}`);
    }
    if (word.text === 'printf') this.#checkFormat(call, args);
    const mixed = word.text === 'eq' || word.text === 'ne' ? args.find(isTruth) : undefined;
    if (mixed) this.#report(mixed, `${word.text} compares text, and this is true or false`);
    return call;
  }

  #checkFormat(call: Span, [format, ...values]: Expression[]) {
    if (format?.kind !== 'string') {
      this.#report(format ?? call, 'the format of printf must be a string');
      return;
    }
    const verbs = splitFormat(format.value).flatMap((part) =>
      part.kind === 'verb' ? [part.verb] : [],
    );
    const odd = verbs.find((verb) => !['s', 'q', 'v'].includes(verb));
    if (odd !== undefined) {
      this.#report(format, `printf does not support %${odd} here`, 'supported are %s, %q, %v, %%');
    } else if (verbs.length !== values.length) {
      const message = `printf has ${verbs.length} verbs for ${values.length} values`;
      this.#report(call, message, 'give one value for each verb');
    }
    const truth = values.find((value, index) => isTruth(value) && verbs[index] !== 'v');
    if (truth) this.#report(truth, 'printf writes text, and this is true or false', 'use %v');
  }
}

/** Whether Go's value would be a bool: those cannot be compared with text or written with %s. */
function isTruth(expression: Expression): boolean {
  if (expression.kind !== 'call') return false;
  const { name, args } = expression;
  return name === 'and' || name === 'or' ? args.some(isTruth) : name !== 'printf';
}

/** A piece of a printf format; the verb is what follows the percent sign. */
type FormatPart = { kind: 'text'; text: string } | { kind: 'verb'; verb: string };

/** Splits a printf format into its literal text and its verbs, in order. */
export function splitFormat(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let end = 0;
  for (const { 0: found, index } of format.matchAll(/%[-+# 0-9.*[\]]*.?/gsu)) {
    if (index > end) parts.push({ kind: 'text', text: format.slice(end, index) });
    const literal = found === '%%';
    parts.push(literal ? { kind: 'text', text: '%' } : { kind: 'verb', verb: found.slice(1) });
    end = index + found.length;
  }
  if (end < format.length) parts.push({ kind: 'text', text: format.slice(end) });
  return parts;
}
