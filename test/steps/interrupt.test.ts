import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject } from 'vitest';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { markedProcesses } from '../../testing/marked-processes.js';
import { appearance } from '../support/appearance.js';
import { readResults } from '../support/check-results.js';
import { startCheck } from '../support/running-check.js';
import { it } from '../support/scratch-suite.js';
import { caseExtensions } from '../support/step-cases.js';
import { command, script } from '../support/suite-parts.js';

describe('a check that is asked to stop', () => {
  it('calls off what steps wait for, cleans up, and leaves nothing behind', async ({
    makeSuite,
  }) => {
    const server = await LoopbackServer.http(({ url = '' }, response) => {
      suite.write(`begun${url}`, '').catch(() => response.end());
    });
    /** Each tells in its own way that it has begun, and has no end. */
    const hanging = {
      script: script('touch "$BEGUN/$PROCTOR_TASK_NAME"; sleep 1000'),
      http: { http: { url: server.url('/{task.name}') } },
      tool: { 'telling.never': { args: { begun: '{env.BEGUN}/{task.name}' } } },
      operation: { 'misfit.hang': {} },
      judge: { llmJudge: { contains: 'anything' } },
    };
    const names = Object.entries(hanging).flatMap(([name, step]) => {
      const phases = name === 'judge' ? ['verify'] : ['setup', 'verify'];
      return phases.map((phase) => ({ task: `${name}-${phase}`, phase, step }));
    });
    const link = script('ln -s "$PROCTOR_WORKDIR" "$BEGUN/$PROCTOR_TASK_NAME-workdir"');
    const cleanup = [
      script('exit 1'),
      { 'telling.echo': { args: { text: 'still there' } } },
      { 'misfit.fine': {} },
    ];
    const suite = await makeSuite({
      tasks: Object.fromEntries(
        names.map(({ task, phase, step }) => {
          const steps = { setup: [link], verify: [script('true')], cleanup };
          const spec = { ...steps, [phase]: phase === 'setup' ? [link, step] : [step] };
          return [task, { parallel: true, spec: { requires: [{ extension: 'misfit' }], ...spec } }];
        }),
      ),
      config: {
        extensions: { misfit: caseExtensions.misfit },
        llmJudge: { ref: { type: 'file', path: 'judge.yaml' } },
      },
      files: {
        'judge.yaml': JSON.stringify({
          kind: 'Agent',
          metadata: { name: 'judge' },
          ...command('touch "$BEGUN/judge-verify"; sleep 1000 & wait'),
        }),
        'begun/README': 'A step that has begun leaves a file here.',
      },
    });
    const begun = suite.path('begun');
    const check = startCheck(['check', 'eval.yaml', '--out', 'out.json', '-p', '16'], {
      cwd: suite.folder,
      env: { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder, BEGUN: begun },
    });
    for (const { task } of names) {
      if (task.startsWith('operation')) {
        await appearance(path.join(begun, `${task}-workdir`));
        await appearance(path.join(begun, `${task}-workdir`, 'hang-begun'));
      } else await appearance(path.join(begun, task));
    }

    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(130);
    const { taskRuns } = readResults(suite.path('out.json'));
    expect(taskRuns.map(({ task }) => task).sort()).toEqual(names.map(({ task }) => task).sort());
    for (const { task, phase } of names) {
      const taskRun = taskRuns.find((each) => each.task === task);
      expect.soft(taskRun, task).toMatchObject({
        outcome: 'cancelled',
        failure: { category: 'cancelled' },
        verified: null,
        cleanupFailed: true,
        phases: {
          [phase]: {
            outcome: 'cancelled',
            steps: [
              ...(phase === 'setup' ? [{ outcome: 'passed' }] : []),
              { outcome: 'cancelled' },
            ],
          },
          cleanup: { steps: [{ outcome: 'failed' }, { outcome: 'passed' }, { outcome: 'passed' }] },
          ...(phase === 'setup' && { agent: null, verify: null }),
        },
      });
    }
    expect(await suite.leftovers()).toEqual([]);
    expect(markedProcesses(`BEGUN=${begun}`)).toEqual([]);
    expect(existsSync(suite.path('out.files'))).toBe(false);
  });
});
