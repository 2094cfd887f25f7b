import { type Expression, ExpressionParser } from './go-expression.js';
import {
  isSpace,
  measureCloser,
  type Report,
  readToken,
  type Span,
  type TemplateProblem,
  type Token,
} from './template-tokens.js';

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
const unsupportedBlocks = ['range', 'with', 'define', 'block'];

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

class TemplateParser {
  readonly problems: TemplateProblem[] = [];
  readonly #report: Report = ({ offset, length }, message, hint) => {
    this.problems.push({ offset, length, message, ...(hint === undefined ? {} : { hint }) });
  };
  readonly #source: string;
  readonly #fields: readonly string[];
  readonly #blocks: Block[] = [];
  #nodes: TemplateNode[] = [];
  /** Set where what follows could mean anything, so that no problem is reported for it. */
  #lost = false;

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
      const closer = measureCloser(source, position);
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
    const closer = measureCloser(this.#source, close + 2);
    if (closer === 0) {
      this.#report({ offset: close, length: 2 }, 'a comment must end in "*/}}" or "*/ -}}"');
    }
    return { offset, length: close + 2 + closer - offset, trimsNext: closer === 4 };
  }

  #addAction(action: Action) {
    if (action.tokens === undefined) return;
    const content = new ExpressionParser(action.tokens, this.#fields, this.#report);
    const keyword = content.takeKeyword();
    if (keyword === undefined) {
      const expression = content.parse(action);
      const { offset, length } = action;
      if (expression) this.#nodes.push({ kind: 'output', expression, offset, length });
    } else if (keyword.text === 'if') {
      this.#openIf(action, content);
    } else if (keyword.text === 'else') {
      this.#addElse(action, content);
    } else if (keyword.text === 'end') {
      this.#closeBlock(action);
      content.expectEnd();
    } else {
      this.#report(keyword, `{{${keyword.text}}} is not supported in these templates`);
      if (unsupportedBlocks.includes(keyword.text)) {
        this.#openBlock(action, keyword.text, this.#nodes);
      }
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

  #closeBlock(action: Span) {
    const block = this.#blocks.pop();
    if (block === undefined) this.#report(action, 'this {{end}} closes nothing');
    else this.#nodes = block.outer;
  }

  /** Stops at the limit, so that code may walk the nodes recursively. */
  #checkDepth(block: Block) {
    if (block.depth <= nestingLimit) return;
    this.#lost = true;
    this.#report(block, `conditions are nested more than ${nestingLimit} deep`);
  }

  #addIfNode(action: Span, content: ExpressionParser): Extract<TemplateNode, { kind: 'if' }> {
    const { offset, length } = action;
    const condition = content.parse(action) ?? { kind: 'string', value: '', offset, length };
    // biome-ignore lint/suspicious/noThenProperty: a list, which nothing takes for a promise
    const node = { kind: 'if' as const, condition, then: [], otherwise: [], offset, length };
    this.#nodes.push(node);
    return node;
  }

  #openIf(action: Span, content: ExpressionParser) {
    const node = this.#addIfNode(action, content);
    this.#openBlock(action, 'if', node.then).otherwise = node.otherwise;
  }

  #addElse(action: Span, content: ExpressionParser) {
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
    if (!content.takeKeyword('if')) {
      block.otherwise = undefined;
      content.expectEnd();
      return;
    }
    const node = this.#addIfNode(action, content);
    this.#nodes = node.then;
    block.otherwise = node.otherwise;
    block.depth++;
    this.#checkDepth(block);
  }
}

/** The names of the fields that a template looks at. */
export function findUsedFields({ nodes }: Template): Set<string> {
  return new Set(nodes.flatMap(listNodeFields));
}

function listNodeFields(node: TemplateNode): string[] {
  if (node.kind === 'text') return [];
  if (node.kind === 'output') return listExpressionFields(node.expression);
  const branches = [...node.then, ...node.otherwise];
  return [...listExpressionFields(node.condition), ...branches.flatMap(listNodeFields)];
}

function listExpressionFields(expression: Expression): string[] {
  if (expression.kind === 'field') return [expression.name];
  return expression.kind === 'call' ? expression.args.flatMap(listExpressionFields) : [];
}
