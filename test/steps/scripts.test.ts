import { describe, expect } from 'vitest';
import { getStartTime } from '../../src/base/processes/process-identity.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, script, scripted, tell } from '../support/suite-parts.js';
import { outputs } from '../support/task-run-story.js';

describe.concurrent('a script', () => {
  it('is run by the interpreter that it names, else by bash whatever the login shell is', async ({
    makeSuite,
  }) => {
    const node = '#!/usr/bin/env node\n';
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            verify: [
              { id: 'file', script: { file: 'who.js' } },
              { id: 'inline', script: { inline: `${node}console.log(typeof process)` } },
              { id: 'windows', script: { inline: '#!/bin/sh -e\r\nfalse\ntrue' } },
              { id: 'bash', script: { inline: '[[ -n $BASH_VERSION ]] && echo bash' } },
            ],
          },
        },
        shell: {
          spec: { verify: [{ id: 'shell', script: { inline: 'echo "${BASH_VERSION:+bash}"' } }] },
        },
      },
      files: { 'tasks/who.js': `${node}console.log(process.argv[1])` },
    });
    const plain = await suite.check(['--run', 'one']);
    expect(outputs(plain.events)).toMatchObject({
      file: { stdout: suite.path('tasks/who.js'), exitCode: '0' },
      inline: { stdout: 'object' },
      windows: { exitCode: '1' },
      bash: { stdout: 'bash' },
    });
    const shell = await suite.check(['--run', 'shell'], { SHELL: process.execPath });
    expect(shell.exitCode).toBe(0);
    expect(outputs(shell.events)).toMatchObject({ shell: { stdout: 'bash' } });
  });

  it('runs in its own folder, or in that of the task', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            verify: [
              { id: 'file', script: { file: '../scripts/where.sh' } },
              { id: 'inline', script: { inline: 'pwd' } },
            ],
          },
        },
      },
      files: { 'scripts/where.sh': 'pwd' },
    });
    expect(outputs((await suite.check()).events)).toMatchObject({
      file: { stdout: suite.path('scripts') },
      inline: { stdout: suite.path('tasks') },
    });
  });

  it('gets values through its variables, and its body is left alone', async ({ makeSuite }) => {
    const odd = '$(touch pwned) `touch pwned` "quoted" \'single\' {task.name} 🙂';
    const suite = await makeSuite({
      tasks: {
        one: {
          runs: 2,
          spec: {
            prompt: { inline: 'Id {random.id}, made {steps.make.stdout}, {braces} left {} alone.' },
            setup: [
              { id: 'make', script: { inline: 'cat odd.txt; echo two >&2' } },
              script('echo latest; exit 7', { id: 'seven', continueOnError: true }),
            ],
            verify: [
              tell('stdout', '{steps.make.stdout}'),
              tell('stderr', '{steps.make.stderr}'),
              tell('exitCode', '{steps.seven.exitCode}'),
              tell('output', '<{agent.output}>'),
              tell('prompt', '{agent.prompt}'),
              tell('random', '{random.id} {random.port}'),
              tell('again', '{random.id} {random.port}'),
              tell('variable', '{env.COLOUR}'),
              tell('task', '{task.name}'),
              tell('other', '{other.name} {} {task} {{ .Prompt }}'),
              { id: 'body', script: { inline: "echo '{task.name} {random.id} {env.NO}'" } },
              tell('type', '{steps.script.stdout}'),
            ],
          },
        },
      },
      files: { 'tasks/odd.txt': `${odd}\n\n` },
      agent: scripted({ say: 'the answer' }),
    });
    const result = await suite.check([], { COLOUR: 'red' });
    expect(result.exitCode, result.stderr).toBe(0);
    const [first, second] = [outputs(result.events, 1), outputs(result.events, 2)];
    expect(first).toMatchObject({
      stdout: { stdout: odd },
      stderr: { stdout: 'two' },
      exitCode: { stdout: '7' },
      output: { stdout: '<the answer>' },
      random: { stdout: expect.stringMatching(/^[0-9a-f]{8} \d{4,5}$/) },
      again: first.random,
      variable: { stdout: 'red' },
      task: { stdout: 'one' },
      other: { stdout: '{other.name} {} {task} {{ .Prompt }}' },
      body: { stdout: '{task.name} {random.id} {env.NO}' },
      type: { stdout: '{task.name} {random.id} {env.NO}' },
    });
    const [id] = first.random?.stdout?.split(' ') ?? [];
    const prompt = `Id ${id}, made ${odd}, {braces} left {} alone.`;
    expect(result.taskRuns[0]?.prompt).toBe(prompt);
    expect(first.prompt?.stdout).toBe(prompt);
    expect(second.random?.stdout).not.toBe(first.random?.stdout);
  });

  it('finds the name of the task, the working directory, the answer and the calls', async ({
    makeSuite,
  }) => {
    const show = 'cat "$PROCTOR_AGENT_OUTPUT"; cat "$PROCTOR_CALLS" >&2';
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            setup: [
              {
                id: 'setup',
                script: {
                  inline: 'cd "$PROCTOR_WORKDIR"; ls -A; echo "${PROCTOR_CALLS-none}"; touch seed',
                },
              },
            ],
            verify: [
              { id: 'name', script: { inline: 'echo "$PROCTOR_TASK_NAME"' } },
              { id: 'workdir', script: { inline: 'ls -A "$PROCTOR_WORKDIR"' } },
              { id: 'verify', script: { inline: show } },
            ],
            cleanup: [{ id: 'cleanup', script: { inline: show } }],
          },
        },
      },
      agent: scripted(callTelling('echo', { text: 'hello' }), { say: 'It says {result}.' }),
    });
    const result = await suite.check();
    expect(result.exitCode).toBe(0);
    const all = outputs(result.events);
    expect(all).toMatchObject({
      setup: { stdout: 'none' },
      name: { stdout: 'one' },
      workdir: { stdout: 'seed' },
      verify: { stdout: 'It says hello.' },
    });
    expect(all.cleanup).toEqual(all.verify);
    expect(JSON.parse(all.verify?.stderr ?? '')).toMatchObject([
      {
        kind: 'tool',
        server: 'telling',
        name: 'echo',
        args: { text: 'hello' },
        result: { content: [{ text: 'hello' }] },
        isError: false,
      },
    ]);
  });

  it('may leave something running, which ends with the task run', async ({ makeSuite }) => {
    const isGone = 'until ! kill -0 "$PID" || grep -q "^State:.Z" /proc/$PID/status; do :; done';
    const suite = await makeSuite({
      tasks: {
        'a-leaves': {
          spec: {
            setup: [{ id: 'left', script: { inline: 'sleep 1000 & echo $! | tee left.pid' } }],
            verify: [{ script: { inline: 'kill -0 "$PID"', env: { PID: '{steps.left.stdout}' } } }],
            cleanup: [
              {
                id: 'cleanup',
                script: { inline: 'kill -0 "$PID"', env: { PID: '{steps.left.stdout}' } },
              },
            ],
          },
        },
        'b-looks': { spec: { verify: [script(`PID=$(cat left.pid); ${isGone} 2>&1`)] } },
      },
    });
    const result = await suite.check(['--task-timeout', '30s']);
    expect(result.exitCode).toBe(0);
    expect(outputs(result.events)).toMatchObject({ cleanup: { exitCode: '0' } });
    expect(getStartTime(Number(await suite.read('tasks/left.pid')))).toBeUndefined();
  });
});
