import {
  type Expression,
  formatParts,
  type Template,
  type TemplateNode,
  type TemplateProblem,
} from './go-template.js';

/** The shell quotes around a prompt, which decide how a reference to it must be written. */
export type PromptPlace = 'bare' | 'double' | 'single';

/** The span is that of `.Prompt` itself, as one output may hold several. */
export interface PlacedPrompt {
  offset: number;
  length: number;
  place: PromptPlace;
  /** Written through `printf "%q"`, which brings its own quotes. */
  quoted: boolean;
}

interface Prompt {
  offset: number;
  length: number;
  quoted: boolean;
  /** Why it is refused wherever it stands. */
  reason?: string;
}

/** What the shell sees: text, or a value of which nothing is known but whether it is a prompt. */
type Piece = string | { prompt?: Prompt };

type Outcome = { place: PromptPlace } | { reason: string };

const hint =
  'read the prompt from the file that PROCTOR_PROMPT_FILE names, or from the variable PROCTOR_PROMPT';
const waysLimit = 256;
const nestingLimit = 50;
/** Stands for a value in the text that the shell sees, so that offsets stay those of letters. */
const standIn = '\uFFFC';

const refusals = {
  condition: 'the quotes around the prompt depend on a condition',
  conditions: 'too many conditions decide where the prompt stands',
  logic: 'the prompt can be put in only as it is or through printf',
  unknown: 'the place of the prompt cannot be told',
  nesting: 'the prompt stands after commands that are nested too deep to follow',
  doubleQuoting: 'printf "%q" brings its own quotes, so the prompt must not stand in quotes',
  unclosed: 'the prompt stands in quotes or parentheses that are never closed',
  backslash: 'the backslash before the prompt would escape its quote',
  dollar: 'the $ before the prompt would change the meaning of its quote',
  ansi: "the prompt stands in $'...', where it cannot be quoted",
  backtick: 'the prompt stands in backticks, where it cannot be quoted reliably',
  parameter: 'the prompt stands in a parameter expansion, where it cannot be quoted reliably',
  arithmetic: 'the prompt stands in an arithmetic expression, which the shell would evaluate',
  comment: 'the prompt stands in a comment, so nothing would be passed',
  document: 'the prompt stands in a here-document, where it cannot be quoted',
  file: 'the prompt would be the name of a file to read or write',
  pattern: 'the prompt would be a pattern of case',
  subscript: 'the prompt would be an array subscript, which the shell evaluates',
  program: 'the prompt would be the program to run',
  nested: 'a command string inside a string would execute the prompt',
};

/**
 * Tells for every `.Prompt` that a command template puts out in which shell quotes it stands, or
 * why it cannot stand there. A template with conditions is read once for each way through it.
 */
export function findPromptPlaces(template: Template): {
  places: PlacedPrompt[];
  problems: TemplateProblem[];
} {
  const outcomes = new Map<Prompt, Outcome>();
  const ways = waysThrough(template.nodes);
  if (ways === undefined) {
    for (const prompt of promptsOf(template.nodes.flatMap(allPieces))) {
      outcomes.set(prompt, { reason: refusals.conditions });
    }
  }
  for (const way of ways ?? []) {
    for (const [prompt, outcome] of new ShellReader(way).read()) {
      outcomes.set(prompt, agreement(outcomes.get(prompt) ?? outcome, outcome));
    }
  }
  const places: PlacedPrompt[] = [];
  const problems: TemplateProblem[] = [];
  const sorted = [...outcomes].sort(([left], [right]) => left.offset - right.offset);
  for (const [{ offset, length, quoted }, outcome] of sorted) {
    if ('place' in outcome) places.push({ offset, length, place: outcome.place, quoted });
    else problems.push({ offset, length, message: outcome.reason, hint });
  }
  return { places, problems };
}

function agreement(left: Outcome, right: Outcome): Outcome {
  if ('reason' in left) return left;
  if ('reason' in right || left.place === right.place) return right;
  return { reason: refusals.condition };
}

/** Every sequence of pieces that the conditions allow; undefined if there are too many. */
function waysThrough(nodes: TemplateNode[]): Piece[][] | undefined {
  let ways: Piece[][] = [[]];
  for (const node of nodes) {
    if (node.kind !== 'if') {
      const pieces = allPieces(node);
      for (const way of ways) for (const piece of pieces) way.push(piece);
      continue;
    }
    const then = waysThrough(node.then);
    const otherwise = waysThrough(node.otherwise);
    if (then === undefined || otherwise === undefined) return undefined;
    if (ways.length * (then.length + otherwise.length) > waysLimit) return undefined;
    ways = ways.flatMap((way) => [...then, ...otherwise].map((branch) => way.concat(branch)));
  }
  return ways;
}

function allPieces(node: TemplateNode): Piece[] {
  if (node.kind === 'text') return [node.text];
  if (node.kind === 'output') return piecesOf(node.expression, false);
  return [...node.then, ...node.otherwise].flatMap(allPieces);
}

/** Quoted text is no text to the shell, so of what `%q` quotes only the prompts count. */
function piecesOf(expression: Expression, quoted: boolean): Piece[] {
  if (expression.kind === 'string') return [quoted ? {} : expression.value];
  if (expression.kind === 'field') {
    const { name, offset, length } = expression;
    return [name === 'Prompt' ? { prompt: { offset, length, quoted } } : {}];
  }
  const [format, ...values] = expression.args;
  if (expression.name !== 'printf' || format?.kind !== 'string') {
    const within = promptsOf(expression.args.flatMap((value) => piecesOf(value, quoted)));
    return [{}, ...within.map((prompt) => ({ prompt: { ...prompt, reason: refusals.logic } }))];
  }
  const remaining = values.values();
  return formatParts(format.value).flatMap((part) => {
    if (part.kind === 'text') return [quoted ? {} : part.text];
    const value = remaining.next().value;
    return value ? piecesOf(value, quoted || part.verb === 'q') : [];
  });
}

function promptsOf(pieces: Piece[]): Prompt[] {
  return pieces.flatMap((piece) =>
    typeof piece !== 'string' && piece.prompt ? [piece.prompt] : [],
  );
}

/** A word of a command after the shell removed its quotes, with stand-ins for values. */
interface Word {
  text: string;
  /** Nothing in it is quoted or expanded, as a reserved word must be. */
  plain: boolean;
  /** Those that stand in the word itself, by their index in its text. */
  direct: Map<number, Prompt>;
  /** Also those in a command whose output becomes part of the word. */
  prompts: Prompt[];
}

interface HereDocument {
  /** Undefined if it holds a value, so that no line can be told to end it. */
  delimiter: string | undefined;
  stripsTabs: boolean;
}

const operatorPattern = /;;&|;;|;&|&&|\|\||\|&|[;&|]/y;
const blankPattern = /(?:[ \t]|\\\n)+/y;
const redirectionPattern = /&>>?|<<<|<<-?|<>|[<>]&|>>|>\||[<>]/y;

/** Reads one sequence of pieces as bash would, and notes where each prompt stands. */
class ShellReader {
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

  /** Reads to the closing parenthesis, if there is one to come, and tells whether it came. */
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
      this.#skipTo(this.#closingOf(this.#position + 2, [')', ')'], false), refusals.arithmetic);
      return;
    }
    this.#position++;
    if (!commands.inPattern) commands.addGroup(this.#readNested());
  }

  /** Reads a command list behind its opening parenthesis; gives the prompts in it. */
  #readNested(): Prompt[] {
    const before = this.#placed.length;
    this.#depth++;
    if (this.#depth > nestingLimit) this.#skipTo(this.#text.length, refusals.nesting);
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
    this.#refuse(promptsInInnerQuotes(word), refusals.nested);
    return word;
  }

  #readArray(array: Word) {
    this.#position++;
    this.#depth++;
    if (this.#depth > nestingLimit) this.#skipTo(this.#text.length, refusals.nesting);
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
    let end = this.#position + 1;
    while (end < this.#text.length && this.#text[end] !== '`') {
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    this.#skipTo(Math.min(end + 1, this.#text.length), refusals.backtick);
    word.text += '$_';
  }

  #readDollar(word: Word, inQuotes: boolean) {
    const start = this.#position;
    const behind = this.#values.get(start + 1)?.prompt;
    if (behind) this.#refuse([behind], refusals.dollar);
    if (this.#at('$((')) {
      this.#skipTo(this.#closingOf(start + 3, [')', ')'], false), refusals.arithmetic);
    } else if (this.#at('$(')) {
      this.#readSubstitution(word);
      return;
    } else if (this.#at('$[')) {
      this.#skipTo(this.#closingOf(start + 2, [']'], false), refusals.arithmetic);
    } else if (this.#at('${')) {
      this.#skipTo(this.#closingOf(start + 2, ['}'], inQuotes), refusals.parameter);
    } else if (this.#at("$'") && !inQuotes) {
      this.#skipTo(this.#closingOf(start + 2, ["'"], false), refusals.ansi);
    } else if (this.#at('$"') && !inQuotes) {
      this.#position++;
      return;
    } else {
      this.#position += this.#at('$$') || behind ? 2 : 1;
    }
    word.text += this.#text.slice(start, this.#position);
  }

  /** Where the last of the closers is passed, or the end; a stack in place of recursion. */
  #closingOf(start: number, closers: string[], inQuotes: boolean): number {
    let quotes = inQuotes ? 1 : 0;
    for (let end = start; end < this.#text.length; end++) {
      const letter = this.#text.charAt(end);
      const closer = closers.at(-1);
      const next = this.#text[end + 1];
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
        const close = this.#text.indexOf("'", end + 1);
        end = close === -1 ? this.#text.length : close;
      } else if ((letter === '(' && closer === ')') || (letter === '[' && closer === ']')) {
        closers.push(closer);
      }
    }
    return this.#text.length;
  }
}

const reservedWords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!']);

/** Collects the words of one command after the other and judges each when it is complete. */
class CommandList {
  inPattern = false;
  readonly #refuse: (prompts: Iterable<Prompt>, reason: string) => void;
  #openCases = 0;
  #words: Word[] = [];
  /** What the command hands on through its output. */
  #prompts: Prompt[] = [];
  /** What it gets as input, from a here-string or the commands before it in a pipe. */
  #inputs: Prompt[] = [];

  constructor(refuse: (prompts: Iterable<Prompt>, reason: string) => void) {
    this.#refuse = refuse;
  }

  add(word: Word) {
    const keyword = word.plain && (this.#words.length === 0 || this.#words.length === 2);
    const text = keyword ? word.text : '';
    if (this.#words.length === 0 && text === 'esac') {
      this.#openCases = Math.max(0, this.#openCases - 1);
      this.inPattern = false;
    } else if (this.inPattern) {
      this.#refuse(word.prompts, refusals.pattern);
      return;
    } else if (this.#words.length === 0 && reservedWords.has(text)) {
      return;
    } else if (text === 'in' && this.#words[0]?.text === 'case') {
      this.#openCases++;
      this.inPattern = true;
      this.#words = [];
      return;
    }
    this.#words.push(word);
    this.#prompts = this.#prompts.concat(word.prompts);
  }

  addInput(prompts: Prompt[]) {
    this.#inputs = this.#inputs.concat(prompts);
  }

  /** After a group in parentheses, which may be the `()` of a function, a command may begin. */
  addGroup(prompts: Prompt[]) {
    this.#judge();
    this.#prompts = this.#prompts.concat(prompts);
  }

  closesPattern(): boolean {
    const closes = this.inPattern;
    this.inPattern = false;
    return closes;
  }

  /** A line that ends behind a pipe goes on in the next. */
  endLine() {
    if (this.#words.length + this.#prompts.length > 0) this.end(';');
  }

  end(operator: string) {
    if (this.inPattern) return;
    this.#judge();
    const pipes = operator === '|' || operator === '|&';
    this.#inputs = pipes ? this.#inputs.concat(this.#prompts) : [];
    this.#prompts = [];
    if (operator.startsWith(';') && operator !== ';') this.inPattern = this.#openCases > 0;
  }

  #judge() {
    for (const [index, { prompts }] of this.#words.entries()) {
      const reason = prompts.length > 0 ? riskOf(this.#words, index) : undefined;
      if (reason) this.#refuse(prompts, reason);
    }
    const runner = this.#inputs.length > 0 ? runnerOfInput(this.#words) : undefined;
    if (runner) this.#refuse(this.#inputs, executedBy(runner));
    this.#words = [];
  }
}

const assignment = /^[A-Za-z_]\w*(?:\[[\w@*]*\])?\+?=/;
/** What may stand between a wrapper and the program that it starts. */
const wrapperArgument = /^(?:[-+]|\d|[A-Za-z_]\w*=)/;
const wrappers = new Set(
  `sudo doas env timeout nohup exec command builtin time coproc nice ionice stdbuf setsid chroot
  caffeinate unbuffer strace xargs flock busybox sshpass docker podman nerdctl kubectl oc npx bunx
  uvx uv poetry pipenv pdm conda mamba bundle npm pnpm yarn mise direnv`.split(/\s+/),
);
/** Other wrappers start programs, never builtins. */
const beforeBuiltin = /^(?:command|builtin|time|coproc|-.*|\uFFFC+)$/;
/** Builtins that evaluate any argument, be it only as the name of a variable. */
const evaluating = new Set('eval let trap alias unset read mapfile readarray getopts'.split(' '));
const sourcing = new Set(['source', '.']);
const declaring = new Set('declare typeset local export readonly'.split(' '));
const testing = new Set(['[[', '[', 'test']);
/** Operators whose operands are evaluated, with the commands in their array subscripts. */
const evaluatingOperator = /^-(?:eq|ne|lt|le|gt|ge|v)$/;
/** Programs that hand their arguments to a shell, here or elsewhere. */
const shellCallers = new Set('ssh autossh mosh watch parallel tmux screen'.split(' '));

interface Interpreter {
  names: RegExp;
  /** Options that take program text. */
  code: RegExp;
  /** Options whose value is the next word. */
  values?: RegExp;
  /**
   * shell: the code is the first operand, wherever the option stands; script: it follows the
   * option, and without one the first operand is a file; program: the first operand is the
   * program text; anywhere: options may follow operands.
   */
  kind: 'shell' | 'script' | 'program' | 'anywhere';
}

const interpreters: Interpreter[] = [
  {
    names:
      /^(?:(?:(?:ba|da|z|k|mk|a|c|tc|fi)?sh|pwsh|powershell|nu)|\$\{?(?:SHELL|BASH)(?:\W.*)?)$/,
    code: /^(?:-\w*c\w*|--(?:init-)?commands?)/i,
    values: /^(?:[-+]\w*o|--rcfile|--init-file)$/i,
    kind: 'shell',
  },
  { names: /^(?:python|pypy)[\d.]*$/, code: /^-\w*c/, values: /^-[WX]$/, kind: 'script' },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    code: /^(?:-p?e|-p|--eval|--print|eval$)/,
    values: /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--conditions)$/,
    kind: 'script',
  },
  {
    names: /^(?:perl|ruby|lua|luajit|julia|Rscript|osascript|groovy|elixir)[\d.]*$/,
    code: /^(?:-\w*e|--eval)/i,
    values: /^-[Ir]$/,
    kind: 'script',
  },
  { names: /^php[\d.]*$/, code: /^(?:-[rBRE]|--run)/, values: /^-[cd]$/, kind: 'script' },
  {
    names: /^(?:[gmn]?awk|g?sed)$/,
    code: /^(?:-\w*[ef]|--expression|--file)/,
    values: /^-[vFl]$/,
    kind: 'program',
  },
  {
    names: /^(?:su|runuser|sg|script|flock|expect|nix-shell|nix)$/,
    code: /^(?:-\w*c|--(?:session-)?command|--run)/,
    kind: 'anywhere',
  },
  { names: /^env$/, code: /^(?:-\w*S|--split-string)/, kind: 'anywhere' },
];

function executedBy(name: string): string {
  return `${name} would execute the prompt as part of a program`;
}

/** The name of the program that a word or the default of an expansion names. */
function baseName({ text }: Word): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return name.startsWith('$') ? name : name.replace(/\}$/, '');
}

/** An unquoted value may turn out to be an assignment or nothing, so what follows may be a program. */
function isWrapper(word: Word): boolean {
  const isValue = word.prompts.length === 0 && /^\uFFFC+$/.test(word.text);
  return isValue || wrappers.has(baseName(word));
}

/** The index of the word that names the program, behind assignments and wrappers, up to a limit. */
function programIndex(words: Word[], limit: number): number {
  let index = words.findIndex(({ text }) => !assignment.test(text));
  if (index === -1) return limit + 1;
  for (let word = words[index]; word && index < limit && isWrapper(word); word = words[index]) {
    index++;
    while (index <= limit && wrapperArgument.test(words[index]?.text ?? '')) index++;
  }
  return index;
}

/** Why a prompt must not stand in the word at an index of a command, if so. */
function riskOf(words: Word[], index: number): string | undefined {
  const first = words.findIndex(({ text }) => !assignment.test(text));
  if (first === -1 || index < first) return undefined;
  const program = programIndex(words, index);
  if (program === index) return refusals.program;
  // Behind a wrapper, or a variable that may name one, any argument may be the program.
  const anyArgument = program !== first || words[first]?.text.startsWith('$');
  for (const [at, word] of words.slice(0, index).entries()) {
    const name = baseName(word);
    if (at === program && evaluates(words, first, program, index)) {
      return `${name} would evaluate the prompt`;
    }
    const suspected = at === program || (at >= first && anyArgument);
    if (suspected && shellCallers.has(name)) return executedBy(name);
    const interpreter = interpreters.find(({ names }) => names.test(name));
    if (interpreter === undefined || !(suspected || interpreter.kind === 'shell')) continue;
    const role = roleOf(words, index, at, interpreter);
    if (role === 'code') return executedBy(name);
    const isProgram = suspected && interpreter.kind === 'program';
    if (role === 'program' && (isProgram || at === program)) return refusals.program;
  }
  return undefined;
}

/** Whether the program is a builtin of the shell that evaluates its argument at an index. */
function evaluates(words: Word[], first: number, program: number, index: number): boolean {
  const name = words[program] ? baseName(words[program]) : '';
  if (!words.slice(first, program).every(({ text }) => beforeBuiltin.test(text))) return false;
  if (sourcing.has(name)) return index === program + 1;
  if (testing.has(name)) return words.some(({ text }) => evaluatingOperator.test(text));
  if (!declaring.has(name)) return evaluating.has(name);
  const isAssignment = assignment.test(words[index]?.text ?? '');
  return !isAssignment || words.some(({ text }) => /^-\w*[in]/.test(text));
}

/** What the word at an index is to the interpreter that another word names. */
function roleOf(
  words: Word[],
  index: number,
  at: number,
  { code, values, kind }: Interpreter,
): 'code' | 'program' | 'argument' {
  const target = words[index]?.text ?? '';
  const previous = words[index - 1]?.text ?? '';
  const isCodeOption = /^[-+]\uFFFC/.test(target) || (target.startsWith('-') && code.test(target));
  if (kind === 'anywhere') {
    return isCodeOption || code.exec(previous)?.[0] === previous ? 'code' : 'argument';
  }
  if (kind === 'shell' && /^-\w*c$/.test(previous)) return 'code';
  let hasCode = false;
  for (let next = at + 1; next < index; next++) {
    const text = words[next]?.text ?? '';
    const option = code.exec(text)?.[0];
    if (option !== undefined) hasCode = true;
    if (option === text && kind !== 'shell') {
      next++;
      if (next === index) return 'code';
    } else if (values?.test(text)) {
      next++;
      if (next === index) return 'argument';
    } else if (option === undefined && !/^[-+]/.test(text)) {
      return 'argument';
    }
  }
  if (isCodeOption || (kind === 'shell' && hasCode)) return 'code';
  return hasCode || /^[-+]/.test(target) ? 'argument' : 'program';
}

/** The interpreter that would run what a command reads from its input, if there is one. */
function runnerOfInput(words: Word[]): string | undefined {
  const first = words.findIndex(({ text }) => !assignment.test(text));
  const program = programIndex(words, words.length);
  const names = words.map(baseName);
  const replaces =
    names.includes('xargs') && words.some(({ text }) => /^-(?:[Ii]|-rep)/.test(text));
  const passesOn = program !== first || shellCallers.has(names[first] ?? '');
  for (const [at, name] of names.entries()) {
    const interpreter = interpreters.find((candidate) => candidate.names.test(name));
    const suspected = at === program || (at > first && passesOn);
    if (interpreter === undefined || !suspected) continue;
    const rest = words.slice(at + 1);
    if (replaces && rest.some(({ text }) => interpreter.code.test(text))) return name;
    if (/^(?:shell|script)$/.test(interpreter.kind) && readsProgram(interpreter, rest)) return name;
  }
  return undefined;
}

function readsProgram({ code, values, kind }: Interpreter, rest: Word[]): boolean {
  for (let next = 0; next < rest.length; next++) {
    const text = rest[next]?.text ?? '';
    if (code.test(text)) return false;
    if (kind === 'shell' && /^-\w*s\w*$/.test(text)) return true;
    if (values?.test(text)) next++;
    else if (!/^[-+]/.test(text)) return false;
  }
  return true;
}

/** The prompts between quotes that are still there when the shell has removed its own. */
function promptsInInnerQuotes({ text, direct }: Word): Prompt[] {
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
