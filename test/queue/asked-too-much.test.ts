import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { ModelServer } from '../support/model-server/model-server.js';
import { it } from '../support/queue-suites.js';
import { script } from '../support/suite-parts.js';

/** Milliseconds that the API asks for. */
const patience = 8_000;
/** Times are told in whole milliseconds. */
const rounding = 2;

it('lets no worker ask a model that sent one of them away', async ({
  makeServed,
  onTestFinished,
}) => {
  let hasHadEnough = false;
  const model = await ModelServer.start(() => {
    if (hasHadEnough) return undefined;
    hasHadEnough = true;
    return { status: 429, headers: { 'retry-after': String(patience / 1_000) } };
  });
  onTestFinished(() => model.close());
  const { suite, site } = await makeServed({
    tasks: {
      first: { parallel: true },
      second: { parallel: true, spec: { setup: [script('read -r _ <"$GATE"')] } },
    },
    agent: { builtin: { type: 'llm-agent', model: 'openai:m-1' } },
  });
  const gate = suite.path('tmp/gate');
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', gate]);
  const env = { GATE: gate, OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${model.url}/v1` };
  const workers = await site.workers(['one', 'other'], { env });
  const check = site.check(['--out', 'out.json'], env);
  await check.says('openai:m-1 is asked too much');

  await writeFile(gate, '\n');

  const { exitCode, stderr } = await check.ended;
  expect(exitCode, stderr).toBe(0);
  const { taskRuns } = JSON.parse(await suite.read('out.json'));
  expect(new Set(taskRuns.map(({ worker }: { worker: string }) => worker)).size).toBe(2);
  const [sentAway, ...others] = model.requests;
  expect(others).toHaveLength(2);
  for (const { arrivedAt } of others) {
    expect(arrivedAt - (sentAway?.arrivedAt ?? 0)).toBeGreaterThanOrEqual(patience - rounding);
  }
  await site.sendAway(...workers);
});
