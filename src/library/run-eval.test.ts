import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CheckRequest } from '../run/session/check-session.js';
import type * as RunEval from './run-eval.js';

const current = { stop: new AbortController() };
let library: typeof RunEval;

// A check that is aborted after preflight, right before the first eval starts. Modules are shared between test
// files, so those that were loaded with it are dropped afterwards.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../run/session/check-session.js', () => ({
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
  library = await import('./run-eval.js');
});

afterAll(() => {
  vi.doUnmock('../run/session/check-session.js');
  vi.resetModules();
});

it.each([
  ['runEval', (signal: AbortSignal) => library.runEval('eval.yaml', { signal })],
  ['runEvals', (signal: AbortSignal) => library.runEvals(['one.yaml', 'two.yaml'], { signal })],
])('%s rejects with the reason of an abort before anything started', async (_, run) => {
  current.stop = new AbortController();
  await expect(run(current.stop.signal)).rejects.toBe('too late');
});
