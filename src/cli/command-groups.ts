import type { CommandSpec } from './command.js';

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
    description: 'Look into results, and make something else of them.',
    usage: '<command> [options] <results...>',
    examples: ['proctor result summary out.json', 'proctor result tools out.json'],
  },
  {
    name: 'queue',
    summary: 'status, cancel: runs that workers do',
    heading: 'Over machines',
    description: 'Look at what workers do for checks, and stop it.',
    usage: '<command> [options]',
    examples: [
      'proctor queue status --queue redis://host:6379',
      'proctor queue cancel RUN --queue redis://host:6379',
    ],
  },
];
