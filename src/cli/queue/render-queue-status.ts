import { plural } from '../../base/text.js';
import { formatLabels, type Labels } from '../../plan/labels.js';
import type { WorkerPresence } from '../../queue/worker/worker-presence.js';
import type { Style } from '../style.js';
import { terminalLine, terminalText } from '../terminal-text.js';
import type { QueueStatus, RunStatus } from './queue-status.js';

export function renderQueueStatus(
  { runs, workers }: QueueStatus,
  shown: string,
  style: Style,
): string {
  const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const total = `${plural(workers.length, 'worker')}, ${plural(slots, 'task run')} at once`;
  return [
    style('bold', `${terminalLine(shown)}: ${plural(runs.length, 'run')}, ${total}`),
    '',
    ...runs.flatMap((run) => [...renderRun(run, style), '']),
    ...(workers.length > 0 ? [style('bold', 'Workers'), ...workers.map(renderWorker)] : []),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const states: Readonly<Record<RunStatus['state'], string>> = {
  preparing: 'waiting for a worker that is ready',
  open: 'under way',
  stopping: 'stopping',
};

function renderRun(run: RunStatus, style: Style): string[] {
  const { id, name, total, done, open, coordinator, queued, refused } = run;
  const facts = [
    stateText(run),
    `${done} of ${plural(total, 'task run')} done`,
    `${open} under way`,
    coordinator === undefined ? 'nobody reads it: check --resume does' : `read by ${coordinator}`,
  ];
  const waiting = queued
    .filter((each) => each.waiting > 0)
    .map(({ labels, waiting }) => `${waiting} waiting for ${whom(labels)}`);
  return [
    `${style('bold', terminalLine(name))}  ${terminalLine(id)}`,
    ...facts.map((fact) => `  ${terminalLine(fact)}`),
    ...waiting.map((text) => `  ${terminalLine(text)}`),
    `  expires ${run.expiresAt}`,
    ...refused.map(
      ({ worker, reason }) =>
        `  ${style('yellow', `${terminalLine(worker)} cannot take part:`)}\n${terminalText(reason).replaceAll(/^/gm, '    ')}`,
    ),
  ];
}

function stateText({ state, over, total, done, open }: RunStatus): string {
  if (over !== undefined) return `starts nothing more (${over})`;
  if (state === 'open' && total > 0 && done >= total) return 'done';
  return state === 'stopping' && open === 0 ? 'stopped' : states[state];
}

function whom(labels: Labels): string {
  const text = formatLabels(labels);
  return text === '' ? 'any worker' : `a worker with ${text}`;
}

function renderWorker(worker: WorkerPresence): string {
  const { name, host, pid, proctor, running, concurrency, labels, isLeaving } = worker;
  const facts = [
    `${running} of ${concurrency} busy`,
    `${host}, process ${pid}, Proctor ${proctor}`,
    ...(formatLabels(labels) === '' ? [] : [formatLabels(labels)]),
    ...(isLeaving ? ['leaving'] : []),
  ];
  return `  ${terminalLine(`${name}: ${facts.join('; ')}`)}`;
}
