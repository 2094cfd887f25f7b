import { expect, it } from 'vitest';
import { type RunStatus, renderQueueStatus } from './queue.js';

const run: RunStatus = {
  id: '3f2a',
  name: 'shop\u001b[2J',
  state: 'open',
  total: 4,
  done: 1,
  open: 2,
  waiting: 0,
  startedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  queued: [
    { labels: {}, waiting: 0 },
    { labels: { cluster: 'gpu' }, waiting: 1 },
  ],
  refused: [{ worker: 'poor', reason: 'error: no key\n  at eval.yaml:7' }],
};

const worker = {
  id: '1',
  name: 'fast',
  host: 'vm',
  pid: 7,
  proctor: '1.0.0',
  labels: { cluster: 'gpu' },
  concurrency: 4,
  running: 2,
};

function rendered(over: Partial<RunStatus> = {}): string {
  const status = { runs: [{ ...run, ...over }], workers: [worker] };
  return renderQueueStatus(status, 'redis://host', (_format, text) => text);
}

it('queue status shows how far a run is, what waits for which workers, and which cannot take part', () => {
  expect(rendered()).toBe(`redis://host: 1 run, 1 worker, 4 task runs at once

shop␛[2J  3f2a
  under way
  1 of 4 task runs done
  2 under way
  no check reads it: use check --resume
  1 waiting for a worker with cluster=gpu
  expires 2026-01-08T00:00:00.000Z
  poor cannot take part:
    error: no key
      at eval.yaml:7

Workers
  fast: 2 of 4 busy; vm, process 7, Proctor 1.0.0; cluster=gpu
`);
});

it.each<[Partial<RunStatus>, string]>([
  [{ state: 'preparing', total: 0, done: 0, open: 0 }, 'waiting for a worker that is ready'],
  [{ done: 4, open: 0 }, 'done'],
  [{ over: 'cost' }, 'starts nothing more (cost)'],
  [{ state: 'stopping' }, 'stopping'],
  [{ state: 'stopping', open: 0 }, 'stopped'],
])('queue status shows %j as %s', (over, text) => {
  expect(rendered(over)).toContain(`3f2a\n  ${text}\n`);
});

it('queue status shows which process reads a run', () => {
  expect(rendered({ coordinator: 'laptop-7' })).toContain('\n  read by laptop-7\n');
});
