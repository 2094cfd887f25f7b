import type { CommandSpec } from './command.js';
import { output, queueOptions } from './command-options.js';
import { workerOptionSpecs } from './worker/worker-options.js';

/** The commands of a check over several machines. */
export const queueCommands: readonly CommandSpec[] = [
  {
    name: 'worker',
    summary: 'do task runs for checks on other machines',
    heading: 'Distributed runs',
    description:
      'Takes task runs from a queue and does them until it is stopped. The machine needs Proctor, the programs of the agents, and their keys in the environment; files of the suite come with the run. On Ctrl-C, it finishes its task runs.',
    arguments: [],
    options: workerOptionSpecs,
    examples: [
      { command: 'proctor worker --queue redis://host:6379', does: 'one at a time' },
      {
        command: 'proctor worker --concurrency 4 --label cluster=gpu',
        does: 'PROCTOR_QUEUE is set',
      },
      { command: 'proctor check eval.yaml --queue redis://host:6379', does: 'give it work' },
    ],
    load: () => import('./commands/worker.js'),
  },
  {
    name: 'status',
    group: 'queue',
    isOnlyInGroup: true,
    summary: 'show runs and workers',
    heading: 'Distributed runs',
    description:
      'Shows the runs in a queue, their progress, what they are waiting for, and the workers.',
    arguments: [{ name: '[run]', description: 'Only this run: its id, or the beginning of it' }],
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
    heading: 'Distributed runs',
    description:
      'Stops a run: task runs under way are stopped and cleaned up, and no others start. Its check ends as if interrupted; `check --resume` does the rest.',
    arguments: [{ name: '<run>', description: 'Id of the run, or the beginning of it' }],
    options: queueOptions,
    examples: [
      {
        command: 'proctor queue cancel 3f2a --queue redis://host:6379',
        does: 'the beginning of its id',
      },
    ],
    load: () => import('./commands/queue-cancel.js'),
  },
];
