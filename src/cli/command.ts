import type { OptionSpec } from '../run/session/check-option-table.js';
import type { CommandIo } from './terminal/output.js';

export type { OptionSpec };

export interface ArgumentSpec {
  /** In commander's notation: `<eval>`, `<eval...>`, `[kind]`. */
  name: string;
  description: string;
  /** Values that a shell offers. */
  suggestions?: readonly string[];
}

export interface CommandRun {
  arguments: string[];
  /** Values by option. An option with several values, or given several times, has a list. */
  options: Record<string, string | boolean | string[] | undefined>;
  io: CommandIo;
}

/** The export of a command's file; the number is the exit code. */
export interface CommandModule {
  run(call: CommandRun): Promise<number>;
}

export interface CommandSpec {
  name: string;
  /** The command that it is a part of, and besides stands for itself: `result view`, `view`. */
  group?: 'result' | 'queue';
  /** It is only a part of the group: `result merge`. */
  isOnlyInGroup?: true;
  summary: string;
  /** Heading that help puts it under. */
  heading: 'Evaluate' | 'Look at results' | 'Distributed runs' | 'Other commands';
  description: string;
  arguments: readonly ArgumentSpec[];
  options: readonly OptionSpec[];
  examples: readonly { command: string; does: string }[];
  /** Loaded only when the command is called. */
  load(): Promise<CommandModule>;
}

/** The words that call it. */
export function commandWords({ name, group, isOnlyInGroup }: CommandSpec): string {
  return group && isOnlyInGroup ? `${group} ${name}` : name;
}

/** A command that has others under it: `result view`. */
export interface CommandGroup {
  name: NonNullable<CommandSpec['group']>;
  summary: string;
  heading: CommandSpec['heading'];
  description: string;
  usage: string;
  examples: readonly string[];
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'result',
    summary: 'summary, view, diff, verify, compare, tools, merge, convert',
    heading: 'Look at results',
    description: 'Shows, compares, merges and converts results.',
    usage: '<command> [options] <results...>',
    examples: ['proctor result summary out.json', 'proctor result tools out.json'],
  },
  {
    name: 'queue',
    summary: 'status, cancel: look at runs that workers do, stop one',
    heading: 'Distributed runs',
    description: 'Shows what workers do for checks, and stops it.',
    usage: '<command> [options]',
    examples: [
      'proctor queue status --queue redis://host:6379',
      'proctor queue cancel RUN --queue redis://host:6379',
    ],
  },
];
