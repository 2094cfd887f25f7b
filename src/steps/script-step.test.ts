import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stepContext } from '../../testing/step-context.js';
import { runScriptStep } from './script-step.js';

it.each(['', '\n \n', '#!/bin/sh\n# nothing yet\n'])(
  'does not pass with a script that turns out to be empty: %j',
  async (text) => {
    const context = stepContext();
    writeFileSync(path.join(context.task.folder, 'check.sh'), text);
    await expect(runScriptStep({ file: 'check.sh' }, context)).rejects.toThrow(
      'the script check.sh is empty',
    );
  },
);

it('shows a script without the secrets that are written out in it', async () => {
  const context = stepContext();
  const script = '#!/bin/sh\nDB_PASSWORD=literalpw77 true\n';
  writeFileSync(path.join(context.task.folder, 'check.sh'), script);
  const { account } = await runScriptStep({ file: 'check.sh' }, context);
  expect(account).toEqual({
    script: { file: 'check.sh', text: '#!/bin/sh\nDB_PASSWORD=[redacted:DB_PASSWORD] true\n' },
  });
});

it('does not wait for a script that is a pipe without a writer', async () => {
  const context = stepContext();
  execFileSync('mkfifo', [path.join(context.task.folder, 'check.sh')]);
  await expect(runScriptStep({ file: 'check.sh' }, context)).rejects.toThrow(
    'the script check.sh is not a regular file',
  );
});

it('says why a value does not fit into a variable, and nothing of the value', async () => {
  const env = { ANSWER: 'a secret\0' };
  await expect(runScriptStep({ inline: 'true', env }, stepContext())).rejects.toThrow(
    /^the variable ANSWER cannot hold the NUL character that is in its value$/,
  );
});

it('lets what a script has started clean up when it is stopped', async () => {
  const stop = new AbortController();
  const context = stepContext({
    signal: stop.signal,
    started: (group) => group.child.stdout?.once('data', () => stop.abort()),
  });
  const inline = `sh -c 'trap "sleep 0.2; touch clean; exit" TERM; echo ready; while :; do sleep 0.01; done'
    echo never`;
  expect(await runScriptStep({ inline }, context)).toMatchObject({ outcome: 'stopped' });
  expect(existsSync(path.join(context.task.folder, 'clean'))).toBe(true);
});

it('has passed if it was stopped only after its end', async () => {
  const stop = new AbortController();
  const context = stepContext({
    signal: stop.signal,
    started: (group) => {
      onTestFinished(() => group.kill());
      group.child.once('exit', () => setImmediate(() => stop.abort()));
    },
  });
  const inline = 'sleep 1000 & echo done';
  expect(await runScriptStep({ inline }, context)).toMatchObject({
    outcome: 'passed',
    outputs: { stdout: 'done' },
  });
});
