import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { QueueKeys } from '../../src/queue/queue-keys.js';
import type { RunTicket } from '../../src/queue/run-ticket.js';
import { eventsOf } from '../support/check-journal.js';
import { fixtures } from '../support/cli.js';
import { it } from '../support/queue-suites.js';
import { command, script } from '../support/suite-parts.js';

const out = ['--out', 'out.json'];

const versionedAgent = `kind: Agent
metadata: { name: program }
commands:
  argTemplateMcpServer: ""
  argTemplateAllowedTools: ""
  getVersion: echo "$AGENT_VERSION"
  runPrompt: echo done
`;

describe('a check with workers', () => {
  it('writes its results to stdout with -o json', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {}, b: { parallel: true } } });
    await site.worker('one');
    const { exitCode, stdout, stderr } = await site.check([...out, '-o', 'json']).ended;
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(await suite.read('out.json')));
    expect(stderr).toContain('1 worker, 1 task run at once');
  });

  it('can be of several evals, each with results of its own', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {} } });
    const evaluation = JSON.parse(await suite.read('eval.yaml'));
    await suite.write('other.yaml', JSON.stringify({ ...evaluation, metadata: { name: 'other' } }));
    await site.workers(['one', 'two']);

    const { exitCode, stderr, stdout } = await site.check(['other.yaml']).ended;

    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('\nEvals\n');
    for (const name of ['suite', 'other']) {
      const { taskRuns } = JSON.parse(await suite.read(`proctor-${name}-out.json`));
      expect(taskRuns).toMatchObject([{ task: 'a', outcome: 'passed' }]);
    }
    expect((await site.status()).runs).toEqual([]);
  });

  it('shows its agent nothing of the task', async ({ makeServed }) => {
    const program = path.join(fixtures, 'agents/looking-agent.mjs');
    const line = `"${process.execPath}" "${program}" -- {{ .McpServerFileArgs }}`;
    const setup = [script('echo "$PROCTOR_TASK_NAME"')];
    const tasks = { 'quagga-census': { spec: { prompt: { inline: 'Look.' }, setup } } };
    const { suite, site } = await makeServed({ tasks, agent: command(line) });
    await site.worker('one');
    const { exitCode, stderr } = await site.check(out).ended;
    expect(exitCode, stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([{ task: 'quagga-census', calls: [{ name: 'echo' }] }]);
    const sight: { environment: string[] } = JSON.parse(taskRuns[0].output);
    expect(JSON.stringify(sight)).not.toContain('quagga');
    expect(sight.environment.join('\n')).not.toMatch(/^PROCTOR_(?!PROMPT)/m);
  });

  it('takes no worker whose agent has another version', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    await suite.write('agent.yaml', versionedAgent);
    suite.close('setup', 'a');
    await site.worker('old', { env: { AGENT_VERSION: '1.0' } });
    const check = site.check();
    await suite.reached('setup', 'a');

    const other = await site.worker('new', { env: { AGENT_VERSION: '2.0' } });

    await other.says('its agent or servers are not those of the worker old, which was first');
    await check.says('new cannot take part');
    const same = await site.worker('same', { env: { AGENT_VERSION: '1.0' } });
    await same.says('suite: taking part');
    suite.release('setup', 'a');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    const started = eventsOf(suite.journal, 'task-run-started');
    expect(started.map(({ worker }) => worker)).not.toContain('new');
    expect(JSON.parse(readFileSync(suite.results, 'utf8'))).toMatchObject({
      agent: { name: 'program', version: '1.0' },
    });
  });

  it('takes no worker of another version of Proctor', async ({
    redis,
    makeServed,
    onTestFinished,
  }) => {
    const { site } = await makeServed({ tasks: { a: {} } });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const keys = new QueueKeys('proctor');
    const run: RunTicket = {
      id: '11111111-2222-3333-4444-555555555555',
      proctor: '99.0.0',
      evaluation: 'e',
      name: 'of the future',
      bundle: 'none',
      evalFile: 'eval.yaml',
      options: { control: false, strict: false },
      limits: {} as RunTicket['limits'],
      tasks: ['a'],
      variants: [],
      queues: [{ name: 'any', labels: {} }],
      filesFolder: 'out.files',
      budget: {},
      startedAt: Date.now(),
      expiresAt: Date.now() + 600_000,
    };
    const { expiresAt } = run;
    const { run: key } = keys.ofRun(run.id);
    await client.hset(key, { record: JSON.stringify(run), state: 'preparing', expiresAt });
    await client.pexpireat(key, expiresAt);
    await client.zadd(keys.runs, run.startedAt, run.id);

    const worker = await site.worker('one');

    await worker.says('the check was started with Proctor 99.0.0, and this worker is Proctor');
    const { runs } = await site.status();
    expect(runs).toMatchObject([
      {
        name: 'of the future',
        refused: [{ worker: 'one', reason: expect.stringContaining('Proctor 99.0.0') }],
      },
    ]);
  });
});
