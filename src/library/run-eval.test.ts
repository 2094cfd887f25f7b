import { expect, it, vi } from 'vitest';
import type { CheckRequest } from '../run/session/check-session.js';
import { runEval, runEvals } from './run-eval.js';

const current = vi.hoisted(() => ({ stop: new AbortController() }));

// A check that is aborted after preflight, right before the first eval starts.
vi.mock('../run/session/check-session.js', () => ({
  CheckSession: class {
    readonly #request: CheckRequest;
    constructor(request: CheckRequest) {
      this.#request = request;
    }
    async run(): Promise<number> {
      current.stop.abort('too late');
      const [name = ''] = this.#request.paths;
      const end = { name, file: name, status: 'not-run', reason: 'interrupted' } as const;
      const ends = this.#request.paths.map(() => end);
      this.#request.onEvent({ type: 'ended', results: ends });
      return 130;
    }
    interrupt(): void {}
  },
}));

it.each([
  ['runEval', (signal: AbortSignal) => runEval('eval.yaml', { signal })],
  ['runEvals', (signal: AbortSignal) => runEvals(['one.yaml', 'two.yaml'], { signal })],
])('%s rejects with the reason of an abort before anything started', async (_, run) => {
  current.stop = new AbortController();
  await expect(run(current.stop.signal)).rejects.toBe('too late');
});
