import {
  definesProgram,
  findInputRunner,
  judgeArguments,
  standIn,
  type Word,
} from './command-arguments.js';
import type { Outcome, Piece, Prompt, PromptPlace } from './prompt.js';

const blank = /(?:[ \t]|\\\n)+/y;
const comment = /#[^\n]*/y;
const hereDocument = /\d*<<(-?)[ \t]*(['"]?)(\w+)\2(?=[\s;&|])/y;
const otherDocument = /\d*<<(?!<)/y;
const redirection = /\d*(?:<<<|<>|[<>]&|>>|>\||[<>])(?!\()/y;
/** In bash a redirection, in other shells the end of a command and a redirection. */
const otherRedirection = /&>/y;
const separator = /;;&|;;|;&|&&|\|\||\|&|[;&|\n)]/y;
/** A command substitution, of which only those are followed that cannot hide an end or a quote. */
const substitution = /\$\((?!\()(?:[^()'"`\\#<\uFFFC]|"[^"`\\()\uFFFC]*")*\)/y;
const parameter = /\$(?:\w+|[?$!#@*-]|\{[^{}'"`\\()\uFFFC]*\})/y;

/** A line break that the shell removes from within an operator or an expansion. */
const brokenOperator = /[$(<>]\\\n/;

/** A dollar that means itself. */
const aloneDollar = /\$(?![({["'`\uFFFC])/y;
const aloneInQuotes = /\$(?![({[`\uFFFC])/y;

/** A quote that is left when the shell has removed its own; an apostrophe between letters is none. */
const innerQuote = /["`]|(?<!\w)'|'(?!\w)/;

/** Syntax of a shell that is not followed here, so that nothing can be said about what comes after it. */
class UnsupportedSyntaxError extends Error {
  constructor(what: string) {
    super(`the template uses ${what}, so the prompt cannot be shown to be safe`);
  }
}

/** Finds for each prompt in a sequence of pieces the quotes around it, or why it must not stand there. */
export function placePrompts(pieces: readonly Piece[]): Map<Prompt, Outcome> {
  const reader = new CommandReader(pieces);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    reader.refuseAll(error.message);
  }
  return reader.outcomes;
}

/**
 * Reads a list of simple commands as a Bourne shell would: words, quotes, redirections, and what joins
 * commands. It gives up at everything else, so that the few rules here can be seen to be enough.
 */
class CommandReader {
  readonly outcomes = new Map<Prompt, Outcome>();
  readonly #text: string;
  readonly #values = new Map<number, { prompt?: Prompt }>();
  readonly #documents: { end: string; stripsTabs: boolean }[] = [];
  #words: Word[] = [];
  #position = 0;
  #isInTest = false;
  #hasPipe = false;
  /** A command that would run what a pipe brings. */
  #inputRunner: string | undefined;

  constructor(pieces: readonly Piece[]) {
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

  read(): void {
    if (brokenOperator.test(this.#text))
      throw new UnsupportedSyntaxError('an operator that goes on in the next line');
    while (this.#position < this.#text.length) this.#readToken();
    this.#endCommand();
    if (this.#hasPipe && this.#inputRunner !== undefined) {
      this.refuseAll(`${this.#inputRunner} could execute what it reads through a pipe`);
    }
  }

  refuseAll(reason: string): void {
    this.#refuse(
      [...this.#values.values()].flatMap(({ prompt }) => prompt ?? []),
      reason,
    );
  }

  #refuse(prompts: readonly Prompt[], reason: string): void {
    for (const prompt of prompts) {
      const earlier = this.outcomes.get(prompt);
      if (!earlier || 'place' in earlier) this.outcomes.set(prompt, { reason });
    }
  }

  #readToken(): void {
    if (this.#take(blank)) return;
    const start = this.#position;
    if (this.#take(comment)) {
      this.#refuseFrom(start, 'the prompt stands in a comment, so nothing would be passed');
      return;
    }
    const [, dash, , end = ''] = this.#take(hereDocument) ?? [];
    if (dash !== undefined) {
      this.#documents.push({ end, stripsTabs: dash === '-' });
    } else if (this.#take(otherDocument)) {
      throw new UnsupportedSyntaxError('a here-document that is not supported');
    } else if (this.#take(otherRedirection)) {
      throw new UnsupportedSyntaxError('&>, which not every shell reads as a redirection');
    } else if (this.#take(redirection)) {
      this.#take(blank);
      const { text, isFixed, prompts } = this.#readWord();
      this.#refuse(
        prompts,
        'the prompt stands in a redirection, which would take it for the name of a file',
      );
      // It may be empty, and then the next word is the name.
      if (!isFixed && text.includes(standIn) && prompts.length === 0)
        throw new UnsupportedSyntaxError('a value without quotes in a redirection');
    } else {
      this.#readSeparatorOrWord();
    }
  }

  #readSeparatorOrWord(): void {
    const [operator] = this.#take(separator) ?? [];
    if (operator !== undefined) {
      this.#endCommand();
      if (operator.startsWith('|') && operator !== '||') this.#hasPipe = true;
      if (operator === '\n') this.#skipDocuments();
    } else if (this.#text[this.#position] === '(') {
      // Where a command may begin, it is a subshell: a list of commands like any other.
      if (this.#words.length > 0 || this.#text[this.#position + 1] === '(')
        throw new UnsupportedSyntaxError('a function, an array or arithmetic');
      this.#position++;
    } else {
      const start = this.#position;
      this.#words.push(this.#readWord());
      if (this.#position === start) throw new UnsupportedSyntaxError('a process substitution');
    }
  }

  /** Passes what a pattern matches at the position. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#position += match[0].length;
    return match;
  }

  /** Refuses what stands between a start and the position. */
  #refuseFrom(start: number, reason: string): void {
    for (const [at, { prompt }] of this.#values) {
      if (prompt && at >= start && at < this.#position) this.#refuse([prompt], reason);
    }
  }

  #skipDocuments(): void {
    const start = this.#position;
    for (const { end, stripsTabs } of this.#documents.splice(0)) {
      const tabs = stripsTabs ? '\\t*' : '';
      // A line that ends in a backslash could hide the end.
      const pattern = new RegExp(`(?:(?:[^\\n]*[^\\\\\\n])?\\n)*?${tabs}${end}(?:\\n|$)`, 'y');
      if (!this.#take(pattern)) this.#position = this.#text.length;
    }
    this.#refuseFrom(start, 'the prompt stands in a here-document, where it cannot be quoted');
  }

  #endCommand(): void {
    const words = this.#words;
    this.#words = [];
    if (definesProgram(words)) throw new UnsupportedSyntaxError('a function or an alias');
    const startsInTest = this.#isInTest || words.some(({ text }) => text === '[[');
    this.#isInTest = startsInTest && !words.some(({ text }) => text === ']]');
    this.#inputRunner ??= findInputRunner(words);
    this.#hasPipe ||= words.some(({ text }) => text === 'coproc');
    for (const [index, { prompts }] of words.entries()) {
      if (prompts.length === 0) continue;
      const reason = startsInTest
        ? '[[ would evaluate the prompt'
        : judgeArguments(words, index, this.#text);
      if (reason !== undefined) this.#refuse(prompts, reason);
    }
  }

  #readWord(): Word {
    const word: Word = { text: '', isFixed: true, literalFrom: 0, prompts: [] };
    for (;;) {
      const letter = this.#text[this.#position];
      if (letter === undefined || /[ \t\n;&|()<>]/.test(letter)) break;
      if (letter === "'") this.#readSingleQuotes(word);
      else if (letter === '"') this.#readDoubleQuotes(word);
      else {
        if (letter === '$' || /[*?[\]{}^]/.test(letter)) word.isFixed = false;
        // Some shells read a leading one as the path of a program.
        if (letter === '=' && word.text === '') word.isFixed = false;
        this.#readLetter(word, 'bare');
      }
    }
    if (/^(?:\[\[?|\]\]?|[{}])$/.test(word.text)) word.isFixed = true;
    if (word.prompts.length > 0 && innerQuote.test(word.text)) {
      this.#refuse(
        word.prompts,
        'the prompt stands beside quotes inside of quotes: another shell could execute it',
      );
    }
    return word;
  }

  #readSingleQuotes(word: Word): void {
    this.#position++;
    while (this.#text[this.#position] !== "'") {
      if (!this.#readValue(word, 'single')) this.#readPlain(word);
    }
    this.#position++;
  }

  #readDoubleQuotes(word: Word): void {
    this.#position++;
    while (this.#text[this.#position] !== '"') this.#readLetter(word, 'double');
    this.#position++;
  }

  #readLetter(word: Word, place: PromptPlace): void {
    const letter = this.#text[this.#position];
    if (letter === '`') throw new UnsupportedSyntaxError('backticks');
    if (letter === '$') this.#readDollar(word, place);
    else if (letter === '\\') this.#readEscape(word, place);
    else if (!this.#readValue(word, place)) this.#readPlain(word);
  }

  #readPlain(word: Word): void {
    const letter = this.#text[this.#position];
    if (letter === undefined) throw new UnsupportedSyntaxError('a quote that is never closed');
    word.text += letter;
    this.#position++;
  }

  #readEscape(word: Word, place: PromptPlace): void {
    this.#position++;
    if (this.#values.has(this.#position))
      throw new UnsupportedSyntaxError('a backslash before a value, which would escape its quote');
    // The shell removes a line break with its backslash.
    if (this.#text[this.#position] === '\n') {
      this.#position++;
      return;
    }
    if (place === 'double' && !/[$`"\\]/.test(this.#text[this.#position] ?? '')) word.text += '\\';
    this.#readPlain(word);
  }

  #readDollar(word: Word, place: PromptPlace): void {
    const alone = place === 'double' ? aloneInQuotes : aloneDollar;
    const expanded = this.#take(parameter) ?? this.#take(substitution);
    const found = expanded ?? this.#take(alone);
    // A pattern of a `case` would end what looks like a substitution.
    if (!found || /\bcase\b/.test(found[0]))
      throw new UnsupportedSyntaxError('a shell expansion that is not supported');
    word.text += found[0];
    if (expanded) word.literalFrom = word.text.length;
    // Even in quotes, a list makes several words.
    if (/[@*]/.test(found[0])) word.isFixed = false;
  }

  /** Whether a value stands at the position, which it then passes. */
  #readValue(word: Word, place: PromptPlace): boolean {
    const value = this.#values.get(this.#position);
    if (!value) return false;
    const { prompt } = value;
    word.text += standIn;
    if (place === 'bare') word.isFixed = false;
    this.#position++;
    if (!prompt) return true;
    const isQuotedTwice = prompt.quoted && place !== 'bare';
    const reason = isQuotedTwice
      ? 'printf "%q" brings its own quotes, so the prompt must not stand in quotes'
      : prompt.reason;
    this.outcomes.set(prompt, reason === undefined ? { place } : { reason });
    word.prompts.push(prompt);
    return true;
  }
}
