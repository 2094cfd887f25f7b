import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { command, script, tell } from '../support/suite-parts.js';
import { outputs } from '../support/task-run-story.js';

describe.concurrent('a script', () => {
  it('may put out anything, of which the start and the end are kept', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            setup: [
              { id: 'binary', script: { inline: "printf 'a\\377\\000\\033[2Jz'" } },
              {
                id: 'huge',
                script: { inline: 'echo start; head -c 3000000 /dev/zero | tr "\\0" x; echo end' },
              },
            ],
            cleanup: [
              tell('huge value', '{steps.huge.stdout}'),
              tell('nul', '{steps.binary.stdout}'),
            ],
          },
        },
      },
    });
    const { exitCode, events, stdout, stderr } = await suite.check();
    expect(exitCode).toBe(0);
    const { binary, huge } = outputs(events);
    expect(binary?.stdout).toBe('a\ufffd\0\u001b[2Jz');
    const shortened = huge?.stdout?.replace(/x+/g, 'x').replace(/\d+/, 'N');
    expect(shortened).toBe('start\nx\n[... N characters left out ...]\nxend');
    expect(huge?.stdout?.length).toBeLessThan(1_100_000);
    const steps = events.filter((event) => event.type === 'step-ended');
    expect(steps).toMatchObject([
      { id: 'binary' },
      { id: 'huge', truncated: ['stdout'] },
      { phase: 'verify', outcome: 'passed' },
      {
        outcome: 'error',
        message:
          '{steps.huge.stdout} cannot be resolved: the output was too long to be kept as a whole',
      },
      { outcome: 'error', message: expect.stringContaining('VALUE') },
    ]);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
  });

  it('that is not there, or whose values are not, is an error that says so', async ({
    makeSuite,
  }) => {
    const huge = { id: 'huge', script: { inline: 'head -c 3000000 /dev/zero' } };
    const suite = await makeSuite({
      tasks: {
        cleanup: {
          spec: {
            setup: [script('exit 1'), script('true', { id: 'later' })],
            cleanup: [tell('cleanup', '{steps.later.stdout}')],
          },
        },
        interpreter: { spec: { verify: [script('#!/no/such/program\ntrue')] } },
        prompt: { spec: { setup: [huge], prompt: { inline: 'Use {steps.huge.stdout}.' } } },
        removed: {
          spec: { setup: [script('rm gone.sh')], verify: [{ script: { file: 'gone.sh' } }] },
        },
        long: {
          spec: {
            setup: [{ id: 'long', script: { inline: 'head -c 300000 /dev/zero | tr "\\0" x' } }],
            verify: [tell('verify', '{steps.long.stdout}')],
          },
        },
      },
      files: { 'tasks/gone.sh': 'true' },
      agent: command('true'),
    });
    const result = await suite.check();
    expect(result.exitCode).toBe(1);
    const failures = result.taskRuns.map(({ task, outcome, failure }) => {
      return [task, outcome, failure?.category, failure?.message];
    });
    const cannotBeStarted = '(script): the script could not be started:';
    expect(failures).toEqual([
      ['cleanup', 'error', 'setup-failed', expect.stringContaining('exited with code 1')],
      [
        'interpreter',
        'error',
        'step-error',
        `verify, step 1 ${cannotBeStarted} command not found: /no/such/program`,
      ],
      [
        'long',
        'error',
        'step-error',
        expect.stringContaining('its variables are longer than the system takes'),
      ],
      [
        'prompt',
        'error',
        'agent-not-started',
        'the prompt: {steps.huge.stdout} cannot be resolved: the output was too long to be kept as a whole',
      ],
      [
        'removed',
        'error',
        'step-error',
        'verify, step 1 (script): the script gone.sh cannot be read: there is no such file',
      ],
    ]);
    const cleanup = result.events.find(
      (event) => event.type === 'step-ended' && event.id === 'cleanup',
    );
    expect(cleanup).toMatchObject({
      outcome: 'error',
      message: '{steps.later.stdout} cannot be resolved: there is no such value',
    });
  });
});
