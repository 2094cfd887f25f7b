import { describe, expect } from 'vitest';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { it } from '../support/scratch-suite.js';
import { expectNoTraceInFiles } from '../support/secret-traces.js';
import { script } from '../support/suite-parts.js';

const key = 'tY5n-Wd82-kL0p-Fs47-bN6r-Jh31';
const lines = 125_000;

/** Five million characters; wherever it is cut, a secret is near. */
const longText = (secret: string) =>
  Array.from({ length: lines }, (_, index) => `${100_000 + index} ${secret}\n`).join('');
const redacted = longText('[redacted:OPENAI_API_KEY]');

describe('an output that is too long for the journal', () => {
  it('is kept beside it as a whole, without its secrets, until the next run', async ({
    makeSuite,
  }) => {
    const body = longText(key);
    expect(body.length).toBeGreaterThan(4_500_000);
    const server = await LoopbackServer.http((_, response) => response.end(body));
    const expected = { body: { match: `\\n${100_000 + lines / 2} ` } };
    const suite = await makeSuite({
      tasks: {
        long: {
          spec: {
            setup: [script(`seq -f "%.0f $OPENAI_API_KEY" 100000 ${99_999 + lines}`)],
            verify: [
              script(`seq -f "%.0f $OPENAI_API_KEY" 100000 ${99_999 + lines} >&2`),
              { http: { url: server.url(), expect: expected } },
            ],
          },
        },
        short: {},
      },
    });

    const { taskRuns, exitCode, stderr } = await suite.check(['--run', 'long'], {
      OPENAI_API_KEY: key,
    });

    expect(exitCode, stderr).toBe(0);
    const { setup, verify } = taskRuns[0]?.phases ?? {};
    const steps = [...(setup?.steps ?? []), ...(verify?.steps ?? [])];
    expect(steps.map(({ truncated }) => truncated)).toEqual([['stdout'], ['stderr'], ['body']]);
    for (const { files = {}, outputs, truncated: [name = ''] = [] } of steps) {
      const recorded = outputs[name] ?? '';
      expect(recorded).toMatch(/\n\[\.\.\. \d+ characters left out \.\.\.\]\n/);
      expect(recorded.length).toBeLessThan(1_000_000);
      expect(recorded.startsWith(redacted.slice(0, 1_000))).toBe(true);
      expect(recorded.endsWith(redacted.slice(-1_000).trimEnd())).toBe(true);
      expect(Object.keys(files)).toEqual([name]);
      expect(files[name]).toMatch(/^out\.files\//);
      expect((await suite.read(files[name] ?? '')) === redacted).toBe(true);
    }
    expectNoTraceInFiles(suite.folder, [key]);

    await suite.check(['--run', 'short']);
    await expect(suite.read(steps[0]?.files?.stdout ?? '')).rejects.toThrow('ENOENT');
    expect(await suite.leftovers()).toEqual([]);
  });
});
