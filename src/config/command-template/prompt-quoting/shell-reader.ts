import {
  type Outcome,
  type Piece,
  type Prompt,
  type PromptPlace,
  refusals,
  standIn,
  type Word,
} from './prompt.js';
import { CommandList } from './shell-commands.js';

interface HereDocument {
  /** Undefined if it holds a value, so that no line is known to end it. */
  delimiter: string | undefined;
  stripsTabs: boolean;
}

/** Each level takes several frames of the stack. */
const nestingLimit = 50;
const operatorPattern = /;;&|;;|;&|&&|\|\||\|&|[;&|]/y;
const blankPattern = /(?:[ \t]|\\\n)+/y;
const redirectionPattern = /&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>]/y;

/** Reads one sequence of pieces as bash would, and notes where each prompt stands. */
export class ShellReader {
  readonly #text: string;
  readonly #values = new Map<number, { prompt?: Prompt }>();
  readonly #outcomes = new Map<Prompt, Outcome>();
  readonly #placed: Prompt[] = [];
  #documents: HereDocument[] = [];
  #position = 0;
  #depth = 0;

  constructor(pieces: Piece[]) {
    const texts: string[] = [];
    let length = 0;
    for (const piece of pieces) {
      if (typeof piece !== 'string') this.#values.set(length, piece);
      const text = typeof piece === 'string' ? piece : standIn;
      texts.push(text);
      length += text.length;
    }
    this.#text = texts.join('');
  }

  read(): Map<Prompt, Outcome> {
    this.#readCommands(false);
    for (const { prompt } of this.#values.values()) {
      if (prompt && !this.#outcomes.has(prompt)) this.#refuse([prompt], refusals.unknown);
    }
    return this.#outcomes;
  }

  #refuse(prompts: Iterable<Prompt>, reason: string) {
    for (const prompt of prompts) {
      const earlier = this.#outcomes.get(prompt);
      if (!earlier || 'place' in earlier) this.#outcomes.set(prompt, { reason });
    }
  }

  /** Moves to the end of a stretch in which no prompt may stand. */
  #skipTo(end: number, reason: string) {
    for (; this.#position < end; this.#position++) {
      const prompt = this.#values.get(this.#position)?.prompt;
      if (prompt) this.#refuse([prompt], reason);
    }
  }

  /** Moves from an opener to behind its closers. */
  #skipEnclosed(opener: string, closers: string[], reason: string, inQuotes = false) {
    const start = this.#position + opener.length;
    this.#skipTo(findClosing(this.#text, start, closers, inQuotes), reason);
  }

  #place(word: Word, place: PromptPlace) {
    const prompt = this.#values.get(this.#position)?.prompt;
    if (prompt) {
      const reason = prompt.quoted && place !== 'bare' ? refusals.doubleQuoting : prompt.reason;
      this.#outcomes.set(prompt, reason === undefined ? { place } : { reason });
      this.#placed.push(prompt);
      word.direct.set(word.text.length, prompt);
      word.prompts.push(prompt);
    }
    word.text += standIn;
    this.#position++;
  }

  #at(text: string): boolean {
    return this.#text.startsWith(text, this.#position);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#text)?.[0];
  }

  /** Reads to the closing parenthesis, if there is one to come, and returns whether it came. */
  #readCommands(inParentheses: boolean): boolean {
    const commands = new CommandList((prompts, reason) => this.#refuse(prompts, reason));
    while (this.#position < this.#text.length) {
      const letter = this.#text.charAt(this.#position);
      if (letter === ' ' || letter === '\t') this.#position++;
      else if (this.#at('\\\n')) this.#position += 2;
      else if (letter === '#') this.#skipTo(this.#lineEnd(), refusals.comment);
      else if (letter === '\n') {
        commands.endLine();
        this.#position++;
        this.#readDocuments();
      } else if (letter === ')') {
        this.#position++;
        if (commands.closesPattern() || !inParentheses) continue;
        commands.end(';');
        return true;
      } else if (letter === '(') this.#readParenthesis(commands);
      else if (this.#at('&>') || (/[<>]/.test(letter) && this.#text[this.#position + 1] !== '(')) {
        this.#readRedirection(commands);
      } else if (/[;&|]/.test(letter)) {
        const operator = this.#match(operatorPattern) ?? letter;
        this.#position += operator.length;
        commands.end(operator);
      } else {
        const word = this.#readWord();
        const isDescriptor =
          word.plain && /^\d+$/.test(word.text) && (this.#at('<') || this.#at('>'));
        if (!isDescriptor) commands.add(word);
      }
    }
    commands.end(';');
    return false;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#position);
    return end === -1 ? this.#text.length : end;
  }

  #readParenthesis(commands: CommandList) {
    if (this.#at('((')) {
      this.#skipEnclosed('((', [')', ')'], refusals.arithmetic);
      return;
    }
    this.#position++;
    if (!commands.inPattern) commands.addGroup(this.#readNested());
  }

  #goDeeper() {
    this.#depth++;
    if (this.#depth > nestingLimit) this.#skipTo(this.#text.length, refusals.nesting);
  }

  /** Reads a command list behind its opening parenthesis; gives the prompts in it. */
  #readNested(): Prompt[] {
    const before = this.#placed.length;
    this.#goDeeper();
    const closed = this.#readCommands(true);
    this.#depth--;
    const prompts = this.#placed.slice(before);
    if (!closed) this.#refuse(prompts, refusals.unclosed);
    return prompts;
  }

  #readRedirection(commands: CommandList) {
    const operator = this.#match(redirectionPattern) ?? '<';
    this.#position += operator.length;
    this.#position += this.#match(blankPattern)?.length ?? 0;
    const word = this.#readWord();
    if (operator === '<<<') {
      commands.addInput(word.prompts);
    } else if (operator.startsWith('<<')) {
      this.#refuse(word.prompts, refusals.document);
      const delimiter = word.text.includes(standIn) ? undefined : word.text;
      this.#documents.push({ delimiter, stripsTabs: operator === '<<-' });
    } else {
      this.#refuse(word.direct.values(), refusals.file);
    }
  }

  #readDocuments() {
    for (const { delimiter, stripsTabs } of this.#documents) {
      let isLast = false;
      while (!isLast && this.#position < this.#text.length) {
        const end = this.#lineEnd();
        const line = this.#text.slice(this.#position, end);
        isLast = delimiter === (stripsTabs ? line.replace(/^\t+/, '') : line);
        this.#skipTo(Math.min(end + 1, this.#text.length), refusals.document);
      }
    }
    this.#documents = [];
  }

  #readWord(): Word {
    const word: Word = { text: '', plain: true, direct: new Map(), prompts: [] };
    while (this.#position < this.#text.length) {
      const letter = this.#text.charAt(this.#position);
      if (this.#values.has(this.#position)) this.#place(word, 'bare');
      else if (letter === '(' && /^\w+\+?=$/.test(word.text)) this.#readArray(word);
      else if (this.#at('<(') || this.#at('>(')) this.#readSubstitution(word);
      else if (/[ \t\n;&|()<>]/.test(letter)) break;
      else if (letter === '\\') this.#readBackslash(word, false);
      else if (letter === "'") this.#readSingleQuotes(word);
      else if (letter === '"') this.#readDoubleQuotes(word);
      else if (letter === '`') this.#skipBackticks(word);
      else if (letter === '$') this.#readDollar(word, false);
      else {
        word.text += letter;
        this.#position++;
        continue;
      }
      word.plain = false;
    }
    this.#refuse(findInnerQuotedPrompts(word), refusals.nested);
    return word;
  }

  #readArray(array: Word) {
    this.#position++;
    this.#goDeeper();
    while (this.#position < this.#text.length && !this.#at(')')) {
      const before = this.#position;
      if (this.#at('#')) this.#skipTo(this.#lineEnd(), refusals.comment);
      const element = this.#readWord();
      if (element.text.startsWith('[')) this.#refuse(element.prompts, refusals.subscript);
      array.prompts = array.prompts.concat(element.prompts);
      if (this.#position === before) this.#position++;
    }
    this.#position++;
    this.#depth--;
  }

  /** The opening of `$(`, `<(` or `>(` is two letters long. */
  #readSubstitution(word: Word) {
    this.#position += 2;
    word.prompts = word.prompts.concat(this.#readNested());
    word.text += '$_';
  }

  #readBackslash(word: Word, inQuotes: boolean) {
    const next = this.#text.charAt(this.#position + 1);
    const prompt = this.#values.get(this.#position + 1)?.prompt;
    if (prompt) this.#refuse([prompt], refusals.backslash);
    if (inQuotes && !'$`"\\\n'.includes(next)) word.text += '\\';
    if (next !== '\n') word.text += next;
    this.#position += 2;
  }

  #readSingleQuotes(word: Word) {
    const close = this.#text.indexOf("'", this.#position + 1);
    this.#position++;
    if (close === -1) {
      this.#skipTo(this.#text.length, refusals.unclosed);
      return;
    }
    while (this.#position < close) {
      if (this.#values.has(this.#position)) this.#place(word, 'single');
      else word.text += this.#text.charAt(this.#position++);
    }
    this.#position++;
  }

  #readDoubleQuotes(word: Word) {
    const before = this.#placed.length;
    this.#position++;
    while (this.#position < this.#text.length) {
      const letter = this.#text.charAt(this.#position);
      if (this.#values.has(this.#position)) this.#place(word, 'double');
      else if (letter === '\\') this.#readBackslash(word, true);
      else if (letter === '`') this.#skipBackticks(word);
      else if (letter === '$') this.#readDollar(word, true);
      else {
        this.#position++;
        if (letter === '"') return;
        word.text += letter;
      }
    }
    this.#refuse(this.#placed.slice(before), refusals.unclosed);
  }

  #skipBackticks(word: Word) {
    this.#skipEnclosed('`', ['`'], refusals.backtick);
    word.text += '$_';
  }

  #readDollar(word: Word, inQuotes: boolean) {
    const start = this.#position;
    const behind = this.#values.get(start + 1)?.prompt;
    if (behind) this.#refuse([behind], refusals.dollar);
    if (this.#at('$((')) {
      this.#skipEnclosed('$((', [')', ')'], refusals.arithmetic);
    } else if (this.#at('$(')) {
      this.#readSubstitution(word);
      return;
    } else if (this.#at('$[')) {
      this.#skipEnclosed('$[', [']'], refusals.arithmetic);
    } else if (this.#at('${')) {
      this.#skipEnclosed('${', ['}'], refusals.parameter, inQuotes);
    } else if (this.#at("$'") && !inQuotes) {
      this.#skipEnclosed("$'", ["'"], refusals.ansi);
    } else if (this.#at('$"') && !inQuotes) {
      this.#position++;
      return;
    } else {
      this.#position += this.#at('$$') || behind ? 2 : 1;
    }
    word.text += this.#text.slice(start, this.#position);
  }
}

/**
 * Where the last of the closers is passed, or the end of the text, for a stretch of shell whose
 * opener is behind us. The closers are a stack, in place of a recursion that could run too deep.
 */
function findClosing(text: string, start: number, closers: string[], inQuotes: boolean): number {
  let quotes = inQuotes ? 1 : 0;
  for (let end = start; end < text.length; end++) {
    const letter = text.charAt(end);
    const closer = closers.at(-1);
    const next = text[end + 1];
    if (letter === '\\') {
      end++;
    } else if (letter === closer) {
      if (letter === '"') quotes--;
      closers.pop();
      if (closers.length === 0) return end + 1;
    } else if (closer === "'" || closer === '`') {
      // Nothing but the closer ends these.
    } else if (letter === '$' && (next === '(' || next === '{')) {
      closers.push(next === '(' ? ')' : '}');
      end++;
    } else if (letter === '`') {
      closers.push(letter);
    } else if (closer === '"') {
      // Of the rest, quotes only give themselves.
    } else if (letter === '"') {
      quotes++;
      closers.push(letter);
    } else if (letter === "'" && !(quotes > 0 && closer === '}')) {
      const close = text.indexOf("'", end + 1);
      end = close === -1 ? text.length : close;
    } else if ((letter === '(' && closer === ')') || (letter === '[' && closer === ']')) {
      closers.push(closer);
    }
  }
  return text.length;
}

/** The prompts between quotes that are still there when the shell has removed its own. */
function findInnerQuotedPrompts({ text, direct }: Word): Prompt[] {
  let found: Prompt[] = [];
  let pending: Prompt[] = [];
  let quote: string | undefined;
  for (let index = 0; direct.size > 0 && index < text.length; index++) {
    const letter = text.charAt(index);
    const prompt = direct.get(index);
    if (prompt) {
      if (quote !== undefined) pending.push(prompt);
    } else if (letter === quote) {
      found = found.concat(pending);
      quote = undefined;
    } else if (quote === undefined && /["']/.test(letter)) {
      // An apostrophe stands within a word, a quote at its beginning.
      if (index > 0 && !/[\s=:,([{]/.test(text.charAt(index - 1))) continue;
      quote = letter;
      pending = [];
    }
  }
  return found.length > 0 && isPlainText(text) ? [] : found;
}

/** JSON, markup, or prose that begins with a capital or a label: no program has such a name. */
function isPlainText(word: string): boolean {
  const text = word.replace(/^-*[\w.]+=/, '').trim();
  if (/^(?:<\w|[A-Z][a-z']*[,:]?\s+[^-\s]|\S*\w[:,]\s)/.test(text)) return true;
  try {
    JSON.parse(text.replace(/\$(?:\{\w+\}|\w+)/g, '0'));
    return /^[{[]/.test(text);
  } catch {
    return false;
  }
}
