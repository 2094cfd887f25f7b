// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands these
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentTask } from '../../../test/support/agent-task.js';
import { commandAgent, runCommandAgent } from '../../../test/support/command-agent.js';
import type { AgentStep } from '../../journal/step-events.js';

/** Nobody may have asked yet how a killed process ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

describe('a command', () => {
  it('runs in the working directory with the environment and its own on top', async () => {
    const environment = { PATH: process.env.PATH, A: 'inherited', B: 'inherited' };
    const commands = { runPrompt: 'printf "%s %s " "$A" "$B"; pwd -P', env: { B: 'own' } };
    const { output, task } = await runCommandAgent(commands, { environment });
    expect(output).toBe(`inherited own ${task.workdir}\n`);
  });

  it('gets an empty HOME if it wants one', async () => {
    const commands = { runPrompt: 'printf %s "$HOME"; ls -A "$HOME"', useVirtualHome: true };
    const { output, task } = await runCommandAgent(commands);
    expect(output).toBe(path.join(task.privateFolder, 'home'));
  });

  it('has no input', async () => {
    expect((await runCommandAgent('cat; echo done')).output).toBe('done\n');
  });

  it('answers on stdout and logs on stderr', async () => {
    const { end, output, task } = await runCommandAgent(
      'echo answer; printf "one\\r\\n\\ntwo" >&2',
    );
    expect({ end, output }).toEqual({ end: 'finished', output: 'answer\n' });
    expect(task.steps).toEqual([
      { kind: 'log', text: 'one' },
      { kind: 'log', text: 'two' },
    ]);
  });

  it('keeps the end of an answer that is too long, and says so', async () => {
    const { output, task } = await runCommandAgent(
      'for i in 1 2; do printf "%0900000d\\n" $i; done',
    );
    expect(output).toBe(`… ${'2'.padStart(900_000, '0')}\n`);
    expect(task.steps).toEqual([
      { kind: 'log', text: expect.stringContaining('its beginning is left out') },
    ]);
  });

  it.each(['%099d', '%d'])('may log lines like %s without end', async (format) => {
    const { end, task } = await runCommandAgent(
      `yes "$(printf ${format} 1)" | head -n 50000 >&2; echo last >&2`,
    );
    expect(end).toBe('finished');
    expect(task.steps.length).toBeLessThan(12_000);
    expect(task.steps.at(-1)).toEqual({ kind: 'log', text: expect.stringContaining('left out') });
  });

  it.each([
    ['echo half; echo why >&2; exit 3', 'exited with code 3', 'half\n', 'why'],
    [
      'no-such-program',
      'exited with code 127: a program of its command line was not found',
      '',
      'no-such-program',
    ],
    [
      'cd /; /etc/passwd',
      'exited with code 126: a program of its command line could not',
      '',
      'ermission',
    ],
    ['echo half; kill -9 $$', 'was ended by SIGKILL', 'half\n', undefined],
  ])('that fails (%s) says how', async (runPrompt, message, output, details) => {
    const result = await runCommandAgent(runPrompt);
    expect(result.end).toBe('failed');
    expect(result.output).toBe(output);
    expect(result.failure).toMatchObject({
      code: 'failed',
      message: expect.stringContaining(`my-agent ${message}`),
      ...(details !== undefined && { details: expect.stringContaining(details) }),
    });
  });

  it('that cannot be started says so', async () => {
    const environment = { PATH: process.env.PATH, SHELL: '/nowhere/bash' };
    const { failure } = await runCommandAgent('true', { environment });
    expect(failure).toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('could not be started'),
    });
  });

  it('does not wait for what it leaves running, and leaves nothing running', async () => {
    const { end, output } = await runCommandAgent('sleep 1000 & echo $!');
    expect(end).toBe('finished');
    await expect.poll(() => isAlive(Number(output))).toBe(false);
  });

  it('is stopped with everything it started', async () => {
    const controller = new AbortController();
    const task = agentTask({ signal: controller.signal });
    const report = (step: AgentStep) => {
      task.steps.push(step);
      controller.abort();
    };
    // The shell leaves at SIGTERM; its child wants to clean up first.
    const runPrompt = `(trap 'echo cleaned; exit' TERM; echo $BASHPID; echo ready >&2; while :; do sleep 0.01; done); true`;
    const result = await commandAgent({ runPrompt }).run({ ...task, report });
    expect(result.end).toBe('stopped');
    expect(result.output).toMatch(/^\d+\ncleaned\n$/);
    await expect.poll(() => isAlive(Number.parseInt(result.output, 10))).toBe(false);
  });

  it('is killed with everything it started when it does not leave', async () => {
    const controller = new AbortController();
    const task = agentTask({ signal: controller.signal, report: () => controller.abort() });
    const runPrompt = "trap '' TERM; sleep 1000 & echo $!; echo ready >&2; while :; do wait; done";
    const result = await commandAgent({ runPrompt }).run(task);
    expect(result.end).toBe('stopped');
    await expect.poll(() => isAlive(Number(result.output))).toBe(false);
  }, 30_000);

  it('does not wait for what has left its group, even if that holds its output', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });
      console.log(child.pid);
      child.unref();`;
    const { end, output } = await runCommandAgent({
      runPrompt: '"$NODE" -e "$SCRIPT"',
      env: { NODE: process.execPath, SCRIPT: script },
    });
    expect(end).toBe('finished');
    process.kill(Number(output), 'SIGKILL');
  }, 30_000);

  it('does not start when it is stopped already', async () => {
    const { end, task } = await runCommandAgent('touch started', { signal: AbortSignal.abort() });
    expect(end).toBe('stopped');
    expect(readdirSync(task.workdir)).toEqual([]);
  });
});
