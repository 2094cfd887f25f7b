import { expect, it, vi } from 'vitest';
import { listOtherRuns } from '../base/processes/leftover-processes.js';
import { Problems } from '../config/problems/problem.js';
import { LocalRunner } from './local-runner.js';
import type { RunnerContext, RunRequest } from './runner.js';
import { Bail, Budget } from './schedule/stop-conditions.js';

vi.mock('./preflight/preflight.js', () => ({
  async preflight() {
    const departure = Promise.reject(new Error('a server stays'));
    departure.catch(() => {});
    return { variants: [], judge: { problems: [] }, extensions: [], departure };
  },
}));

/** A runner of so many evals, and what it is asked to run. */
function makeRunner(evals: number) {
  const evalToRun = {
    suite: { eval: { data: { config: {} } } },
    options: { limits: { rates: [] } },
    redactor: { text: (text: string) => text },
  } as unknown as RunnerContext['evals'][number];
  const runner = new LocalRunner({
    evals: Array.from({ length: evals }, () => evalToRun),
    environment: {},
    budget: new Budget({}),
    bail: new Bail(),
    emit: () => {},
  });
  const request = { id: 'run', evalToRun: evalToRun, participants: {} } as unknown as RunRequest;
  return { runner, request };
}

it('a run whose servers of preflight fail to leave is released when it is closed', async () => {
  const { runner, request } = makeRunner(1);
  const prepared = await runner.prepare(request, new Problems(), new AbortController().signal);
  expect(listOtherRuns('another')).toEqual(['run']);
  await expect(prepared.close()).rejects.toThrow('a server stays');
  expect(listOtherRuns('another')).toEqual([]);
});

it('a run of several whose servers of preflight fail to leave is released at once', async () => {
  const { runner, request } = makeRunner(2);
  const prepared = runner.prepare(request, new Problems(), new AbortController().signal);
  await expect(prepared).rejects.toThrow('a server stays');
  expect(listOtherRuns('another')).toEqual([]);
});
