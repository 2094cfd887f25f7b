import { nearest } from './nearest.js';

/** What is wrong with a template, and where; offsets count UTF-16 units of its source. */
export interface TemplateProblem {
  offset: number;
  length: number;
  message: string;
  hint?: string;
}

interface Span {
  offset: number;
  length: number;
}

export type Expression = Span &
  (
    | { kind: 'field'; name: string }
    | { kind: 'string'; value: string }
    | { kind: 'call'; name: string; args: Expression[] }
  );

/** The span of a text is the text itself, already trimmed; that of the others is their `{{ }}`. */
export type TemplateNode = Span &
  (
    | { kind: 'text'; text: string }
    | { kind: 'output'; expression: Expression }
    | { kind: 'if'; condition: Expression; then: TemplateNode[]; otherwise: TemplateNode[] }
  );

export interface Template {
  source: string;
  nodes: TemplateNode[];
}

/** A piece of a printf format; the verb is what follows the percent sign. */
type FormatPart = { kind: 'text'; text: string } | { kind: 'verb'; verb: string };

type TokenKind = 'field' | 'string' | 'word' | 'space' | 'pipe' | 'open' | 'close' | 'other';
type Token = Span & { kind: TokenKind; text: string };

/** Without tokens it is a comment, or was reported already. */
interface Action extends Span {
  trimsNext: boolean;
  tokens?: Token[];
}

/** Where the nodes between an opening keyword and its `end` go. */
interface Block extends Span {
  keyword: string;
  outer: TemplateNode[];
  /** Undefined once an `else` came, and for the blocks that we do not support. */
  otherwise?: TemplateNode[] | undefined;
  depth: number;
}

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
const unsupportedBlocks = ['range', 'with', 'define', 'block'];
const unsupportedKeywords = [...unsupportedBlocks, 'template', 'break', 'continue'];
const keywords = [...unsupportedKeywords, 'if', 'else', 'end'];
const unexpectedHints = new Map([
  ['-', 'a trim marker is written "{{- " or " -}}", with white space on its inner side'],
  ['/', 'a comment is written "{{/*" or "{{- /*", and ends in "*/}}" or "*/ -}}"'],
]);

/**
 * Parses the part of Go's text/template that agent files use; the rest is a problem that says so.
 * Never throws; a template without problems can be folded over without further checks.
 */
export function parseTemplate(
  source: string,
  fields: readonly string[],
): { template: Template; problems: TemplateProblem[] } {
  const parser = new TemplateParser(source, fields);
  const nodes = parser.parse();
  return { template: { source, nodes }, problems: parser.problems };
}

/** Splits a printf format into its literal text and its verbs, in order. */
export function formatParts(format: string): FormatPart[] {
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

class TemplateParser {
  readonly problems: TemplateProblem[] = [];
  readonly #source: string;
  readonly #fields: readonly string[];
  readonly #blocks: Block[] = [];
  #nodes: TemplateNode[] = [];
  /** Set where what follows could mean anything, so that no problem is reported for it. */
  #lost = false;
  #tokens: Token[] = [];
  #next = 0;

  constructor(source: string, fields: readonly string[]) {
    this.#source = source;
    this.#fields = fields;
  }

  parse(): TemplateNode[] {
    const root = this.#nodes;
    const source = this.#source;
    let position = 0;
    let trimsStart = false;
    while (position < source.length && !this.#lost) {
      const found = source.indexOf('{{', position);
      const start = found === -1 ? source.length : found;
      const trimsEnd = source[start + 2] === '-' && isSpace(source[start + 3]);
      this.#addText(position, start, trimsStart, trimsEnd);
      if (found === -1) break;
      const action = this.#readAction(start, trimsEnd ? start + 4 : start + 2);
      this.#addAction(action);
      position = action.offset + action.length;
      trimsStart = action.trimsNext;
    }
    for (const block of this.#lost ? [] : this.#blocks) {
      this.#report(block, `this {{${block.keyword}}} has no {{end}}`);
    }
    return root;
  }

  #report({ offset, length }: Span, message: string, hint?: string): undefined {
    this.problems.push({ offset, length, message, ...(hint === undefined ? {} : { hint }) });
  }

  #addText(from: number, to: number, trimsStart: boolean, trimsEnd: boolean) {
    let start = from;
    let end = to;
    while (trimsStart && start < end && isSpace(this.#source[start])) start++;
    while (trimsEnd && end > start && isSpace(this.#source[end - 1])) end--;
    if (start === end) return;
    const text = this.#source.slice(start, end);
    this.#nodes.push({ kind: 'text', text, offset: start, length: end - start });
  }

  /** Reads from the `{{` at the offset to behind its `}}`; the body begins after a trim marker. */
  #readAction(offset: number, body: number): Action {
    const source = this.#source;
    if (source.startsWith('/*', body)) return this.#readComment(offset, body);
    const tokens: Token[] = [];
    let position = body;
    while (position < source.length && !source.startsWith('{{', position)) {
      const closer = closerAt(source, position);
      if (closer > 0) {
        const length = position + closer - offset;
        return { offset, length, tokens, trimsNext: closer === 4 };
      }
      const token = readToken(source, position);
      if (token === undefined) {
        this.#lost = true;
        this.#report({ offset: position, length: 1 }, 'this string is not closed');
        return { offset, length: position - offset, trimsNext: false };
      }
      tokens.push(token);
      position += token.length;
    }
    this.#lost = position >= source.length;
    this.#report({ offset, length: 2 }, 'this {{ is not closed', 'add "}}"');
    return { offset, length: position - offset, trimsNext: false };
  }

  #readComment(offset: number, body: number): Action {
    const close = this.#source.indexOf('*/', body + 2);
    if (close === -1) {
      this.#lost = true;
      this.#report({ offset, length: 2 }, 'this comment is not closed', 'add "*/}}"');
      return { offset, length: this.#source.length - offset, trimsNext: false };
    }
    const closer = closerAt(this.#source, close + 2);
    if (closer === 0) {
      this.#report({ offset: close, length: 2 }, 'a comment must end in "*/}}" or "*/ -}}"');
    }
    return { offset, length: close + 2 + closer - offset, trimsNext: closer === 4 };
  }

  #addAction(action: Action) {
    if (action.tokens === undefined) return;
    this.#tokens = action.tokens;
    this.#next = 0;
    const first = this.#peek();
    const keyword = first?.kind === 'word' && keywords.includes(first.text) ? first.text : '';
    if (keyword !== '') this.#next++;
    if (keyword === 'if') {
      this.#openIf(action);
    } else if (keyword === 'else') {
      this.#addElse(action);
    } else if (keyword === 'end') {
      const block = this.#blocks.pop();
      if (block === undefined) this.#report(action, 'this {{end}} closes nothing');
      else this.#nodes = block.outer;
      this.#expectEnd();
    } else if (keyword !== '') {
      this.#report(first ?? action, `{{${keyword}}} is not supported in these templates`);
      if (unsupportedBlocks.includes(keyword)) this.#openBlock(action, keyword, this.#nodes);
    } else {
      const expression = this.#readExpression(action);
      const { offset, length } = action;
      if (expression) this.#nodes.push({ kind: 'output', expression, offset, length });
    }
  }

  #openBlock({ offset, length }: Span, keyword: string, inner: TemplateNode[]): Block {
    const depth = (this.#blocks.at(-1)?.depth ?? 0) + 1;
    const block = { keyword, outer: this.#nodes, depth, offset, length };
    this.#blocks.push(block);
    this.#nodes = inner;
    this.#checkDepth(block);
    return block;
  }

  /** Stops at the limit, so that whoever folds over the nodes may do so recursively. */
  #checkDepth(block: Block) {
    if (block.depth <= nestingLimit) return;
    this.#lost = true;
    this.#report(block, `conditions are nested more than ${nestingLimit} deep`);
  }

  #addIfNode(action: Span, nodes: TemplateNode[]): Extract<TemplateNode, { kind: 'if' }> {
    const { offset, length } = action;
    const condition = this.#readExpression(action) ?? { kind: 'string', value: '', offset, length };
    // biome-ignore lint/suspicious/noThenProperty: a list, which nothing takes for a promise
    const node = { kind: 'if' as const, condition, then: [], otherwise: [], offset, length };
    nodes.push(node);
    return node;
  }

  #openIf(action: Span) {
    const node = this.#addIfNode(action, this.#nodes);
    this.#openBlock(action, 'if', node.then).otherwise = node.otherwise;
  }

  #addElse(action: Span) {
    const block = this.#blocks.at(-1);
    if (block?.keyword !== 'if') {
      if (block === undefined) this.#report(action, 'this {{else}} belongs to no {{if}}');
      return;
    }
    if (block.otherwise === undefined) {
      this.#report(action, 'this {{if}} has an {{else}} already');
      return;
    }
    this.#nodes = block.otherwise;
    if (this.#peek()?.text !== 'if') {
      block.otherwise = undefined;
      this.#expectEnd();
      return;
    }
    this.#next++;
    const node = this.#addIfNode(action, this.#nodes);
    this.#nodes = node.then;
    block.otherwise = node.otherwise;
    block.depth++;
    this.#checkDepth(block);
  }

  /** The next token that is not white space. */
  #peek(): Token | undefined {
    while (this.#tokens[this.#next]?.kind === 'space') this.#next++;
    return this.#tokens[this.#next];
  }

  #expectEnd() {
    const token = this.#peek();
    if (token) this.#unexpected(token);
  }

  #unexpected(token: Token): undefined {
    return this.#report(token, `unexpected ${token.text}`, unexpectedHints.get(token.text));
  }

  #readExpression(action: Span): Expression | undefined {
    const nested = this.#tokens.filter(({ kind }) => kind === 'pipe' || kind === 'open');
    if (nested.length > nestingLimit) {
      return this.#report(action, `more than ${nestingLimit} parentheses and pipes in one action`);
    }
    const expression = this.#readPipeline(action);
    if (expression) this.#expectEnd();
    return expression;
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
      const value = stringValue(text);
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
    if (keywords.includes(text)) return this.#unexpected(token);
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
      const near = nearest(name, this.#fields);
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
    const verbs = formatParts(format.value).flatMap((part) =>
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

function isSpace(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\t' || letter === '\r' || letter === '\n';
}

/** The length of the `}}` or ` -}}` at a position, or 0. */
function closerAt(source: string, position: number): 0 | 2 | 4 {
  if (source.startsWith('}}', position)) return 2;
  return isSpace(source[position]) && source.startsWith('-}}', position + 1) ? 4 : 0;
}

const punctuation = new Map<string, TokenKind>([
  ['|', 'pipe'],
  ['(', 'open'],
  [')', 'close'],
]);

/** White space comes one by one, as its last may belong to a trim marker; undefined: unclosed. */
function readToken(source: string, offset: number): Token | undefined {
  const first = codePointAt(source, offset);
  let kind: TokenKind = punctuation.get(first) ?? (isSpace(first) ? 'space' : 'other');
  let end = offset + first.length;
  if (first === '"' || first === '`') {
    kind = 'string';
    end = stringEnd(source, offset);
    if (end === -1) return undefined;
  } else if (first === '.' || first === '$' || isLetter(first)) {
    kind = first === '.' ? 'field' : 'word';
    for (let letter = codePointAt(source, end); letter === '.' || isLetter(letter); ) {
      end += letter.length;
      letter = codePointAt(source, end);
    }
  }
  return { kind, text: source.slice(offset, end), offset, length: end - offset };
}

function codePointAt(source: string, offset: number): string {
  const codePoint = source.codePointAt(offset);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

function isLetter(letter: string): boolean {
  return /^[\p{L}\p{Nd}_]$/u.test(letter);
}

function stringEnd(source: string, start: number): number {
  if (source[start] === '`') return source.indexOf('`', start + 1) + 1 || -1;
  for (let end = start + 1; end < source.length; end++) {
    if (source[end] === '"') return end + 1;
    if (source[end] === '\\') end++;
    if (source[end] === '\n') break;
  }
  return -1;
}

const escapes =
  /\\(?:([abfnrtv])|([\\"])|([0-3][0-7]{2})|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))/g;
const escapedBytes = new Map(Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }));

/** Undefined for an escape that Go does not know, and for bytes that are no UTF-8. */
function stringValue(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  // An escape may give a single byte of a character, so all meet as percent-encoded bytes.
  let encoded = '';
  let end = 0;
  try {
    for (const match of body.matchAll(escapes)) {
      const [found, simple, itself, octal, byte, short, long] = match;
      encoded += encodeText(body.slice(end, match.index));
      end = match.index + found.length;
      if (simple) encoded += encodeByte(escapedBytes.get(simple) ?? 0);
      else if (itself) encoded += encodeURIComponent(itself);
      else if (octal) encoded += encodeByte(Number.parseInt(octal, 8));
      else if (byte) encoded += encodeByte(Number.parseInt(byte, 16));
      else encoded += encodeText(String.fromCodePoint(Number.parseInt(short ?? long ?? '', 16)));
    }
    return decodeURIComponent(encoded + encodeText(body.slice(end)));
  } catch {
    return undefined;
  }
}

function encodeText(text: string): string {
  if (text.includes('\\')) throw new Error('an escape that Go does not know');
  return encodeURIComponent(text);
}

function encodeByte(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}

/** Whether Go's value would be a bool: those cannot be compared with text or written with %s. */
function isTruth(expression: Expression): boolean {
  if (expression.kind !== 'call') return false;
  const { name, args } = expression;
  return name === 'and' || name === 'or' ? args.some(isTruth) : name !== 'printf';
}
