import { exitCodes } from '../../base/errors.js';
import {
  type ArgumentSpec,
  type CommandSpec,
  commandGroups,
  commandWords,
  type OptionSpec,
} from '../command.js';
import { commands } from '../command-table.js';
import type { CommandIo } from '../terminal/output.js';

/** Candidates for the word at the end of a command line. */
export interface Candidates {
  values: Candidate[];
  /** Names of files would also do. */
  isFile: boolean;
}

interface Candidate {
  value: string;
  description: string;
}

const nothing: Candidates = { values: [], isFile: false };

/** Finds candidates for the last of the words behind `proctor`. */
export function findCandidates(words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  const { values, isFile } = findCandidatesAt(words.slice(0, -1), typed);
  return { values: values.filter(({ value }) => value.startsWith(typed)), isFile };
}

function findCandidatesAt(earlier: readonly string[], typed: string): Candidates {
  const place = findPlace(earlier);
  if (!place) return nothing;
  if (!place.command) {
    return {
      values: [...place.commands, ...(typed.startsWith('-') ? rootFlags : [])],
      isFile: false,
    };
  }
  const { command, option, given, position } = place;
  if (option) return listValues(option);
  const [prefix, flag = ''] = /^(--[^=]+)=/.exec(typed) ?? [];
  if (prefix !== undefined) {
    const named = command.options.find((each) => listNames(each).includes(flag));
    return named ? withPrefix(prefix, listValues(named)) : nothing;
  }
  if (typed.startsWith('-')) return { values: listFlags(command, given), isFile: false };
  return listArgumentValues(command.arguments, position);
}

interface Place {
  /** Undefined: it has yet to be named, and these could be. */
  command: CommandSpec | undefined;
  commands: Candidate[];
  /** The value of this option comes next. */
  option: OptionSpec | undefined;
  given: Set<string>;
  /** Arguments so far. */
  position: number;
}

/** Where the words lead to; undefined: to no command that there is. */
function findPlace(words: readonly string[]): Place | undefined {
  const [first, second, ...others] = words;
  if (first === undefined) return findNamed(topCommands);
  if (first === 'help') return words.length === 1 ? findNamed(topCommands) : undefined;
  if (!commandGroups.some(({ name }) => name === first)) {
    const command = commands.find((spec) => commandWords(spec) === first);
    return command && within(command, words.slice(1));
  }
  if (second === undefined) return findNamed(listGroupCommands(first));
  const command = commands.find(({ name, group }) => group === first && name === second);
  return command && within(command, others);
}

function findNamed(specs: Candidate[]): Place {
  return { command: undefined, commands: specs, option: undefined, given: new Set(), position: 0 };
}

function within(command: CommandSpec, words: readonly string[]): Place {
  const given = new Set<string>();
  let option: OptionSpec | undefined;
  let position = 0;
  for (const word of words) {
    if (option) {
      // One that takes several goes on until the next option.
      if (!takesSeveral(option)) option = undefined;
      if (!word.startsWith('-')) continue;
    }
    const [flag = ''] = word.split('=', 1);
    const found = command.options.find((each) => listNames(each).includes(flag));
    if (found) {
      for (const name of listNames(found)) given.add(name);
      option = takesValue(found) && !word.includes('=') ? found : undefined;
    } else if (!word.startsWith('-')) position += 1;
  }
  return { command, commands: [], option, given, position };
}

const topCommands: Candidate[] = [
  ...commands
    .filter(({ isOnlyInGroup }) => !isOnlyInGroup)
    .map(({ name, summary }) => ({ value: name, description: summary })),
  ...commandGroups.map(({ name, summary }) => ({ value: name, description: summary })),
  { value: 'help', description: 'show help for a command' },
];

function listGroupCommands(of: string): Candidate[] {
  return commands
    .filter(({ group }) => group === of)
    .map(({ name, summary }) => ({ value: name, description: summary }));
}

const helpFlag = { value: '--help', description: 'show help' };
const rootFlags = [{ value: '--version', description: 'print the version' }, helpFlag];

function listFlags({ options }: CommandSpec, given: ReadonlySet<string>): Candidate[] {
  const left = options.filter((option) => option.repeatable || !given.has(getLongName(option)));
  return [
    ...left.map((option) => ({ value: getLongName(option), description: option.description })),
    helpFlag,
  ];
}

/** `-o, --output <format>`: `-o` and `--output`. */
function listNames({ flags }: OptionSpec): string[] {
  return flags.match(/--?[a-z][a-z-]*/gi) ?? [];
}

function getLongName(option: OptionSpec): string {
  return listNames(option).at(-1) ?? '';
}

function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes('<');
}

function takesSeveral({ flags }: OptionSpec): boolean {
  return flags.includes('...>');
}

function listValues({ flags, choices, suggestions = choices }: OptionSpec): Candidates {
  const [, what = ''] = /<(.*)>/.exec(flags) ?? [];
  return { values: stripMarkup(suggestions), isFile: isFileName(what) };
}

function listArgumentValues(specs: readonly ArgumentSpec[], position: number): Candidates {
  const last = specs.at(-1);
  const spec = specs[position] ?? (last?.name.includes('...') ? last : undefined);
  if (!spec) return nothing;
  return { values: stripMarkup(spec.suggestions), isFile: isFileName(spec.name.slice(1, -1)) };
}

function stripMarkup(values: readonly string[] = []): Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}

function withPrefix(prefix: string, { values, isFile }: Candidates): Candidates {
  return { values: values.map((each) => ({ ...each, value: prefix + each.value })), isFile };
}

const fileNames = new Set(['file', 'folder', 'results', 'eval', 'agent', 'cases', 'name[=file]']);

function isFileName(what: string): boolean {
  return fileNames.has(what.replace('...', ''));
}

/** Answers a shell, in the words that its script understands. */
export function complete(words: readonly string[], { stdout }: CommandIo): number {
  const { values, isFile } = findCandidates(words);
  const lines = values.map(({ value, description }) => `${value}\t${description}\n`);
  stdout.write(lines.join('') + (isFile ? ':files\n' : ''));
  return exitCodes.ok;
}
