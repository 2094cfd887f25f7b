import type { CommandSpec } from './command.js';
import { output, queueOptions } from './command-options.js';
import { workerOptionSpecs } from './worker/worker-options.js';

/** The commands of a check over several machines. */
export const queueCommands: readonly CommandSpec[] = [
  {
    name: 'worker',
    summary: 'do task runs of checks on other machines',
    heading: 'Over machines',
    description:
      'Takes task runs out of a queue and does them, until it is stopped. Needs Proctor and the programs of agents; files come with the run, keys from its own environment. Ctrl-C finishes what runs.',
    arguments: [],
    options: workerOptionSpecs,
    examples: [
      { command: 'proctor worker --queue redis://host:6379', does: 'one at a time' },
      { command: 'proctor worker --concurrency 4 --label cluster=gpu', does: 'with PROCTOR_QUEUE' },
      { command: 'proctor check eval.yaml --queue redis://host:6379', does: 'gives it work' },
    ],
    load: () => import('./commands/worker.js'),
  },
  {
    name: 'status',
    group: 'queue',
    isOnlyInGroup: true,
    summary: 'show runs and workers',
    heading: 'Over machines',
    description:
      'Shows the runs in a queue: how far they are, what waits for whom, and which workers are there.',
    arguments: [{ name: '[run]', description: 'Only this run: its id, or how it begins' }],
    options: [...queueOptions, output],
    examples: [
      { command: 'proctor queue status --queue redis://host:6379', does: 'everything' },
      { command: 'proctor queue status -o json', does: 'for programs' },
    ],
    load: () => import('./commands/queue-status.js'),
  },
  {
    name: 'cancel',
    group: 'queue',
    isOnlyInGroup: true,
    summary: 'stop a run',
    heading: 'Over machines',
    description:
      'Stops a run: what is under way is stopped and cleaned up, nothing more is started. Its check ends as if it was interrupted; `check --resume` does the rest.',
    arguments: [{ name: '<run>', description: 'Id of the run, or how it begins' }],
    options: queueOptions,
    examples: [
      {
        command: 'proctor queue cancel 3f2a --queue redis://host:6379',
        does: 'by its first letters',
      },
    ],
    load: () => import('./commands/queue-cancel.js'),
  },
];
