import { describe, expect } from 'vitest';
import { serverProgram } from '../support/mcp-servers.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { type SuiteParts, script, scripted } from '../support/suite-parts.js';

const task = { setup: [script('echo begun >> "$NOTES"')] };

/** A suite whose server and whose task runs write down what happens, in turn. */
function lingering(args: string[], { parallel, scope }: { parallel: boolean; scope?: string }) {
  const program = serverProgram('lingering-stdio-server.mjs');
  return {
    tasks: { one: { parallel, spec: task }, two: { parallel, spec: task } },
    agent: scripted({ call: { server: 'slow', tool: 'anything' } }),
    assertions: { minToolCalls: 1 },
    servers: {
      slow: {
        command: process.execPath,
        args: [program, ...args],
        enableAllTools: true,
        ...(scope && { scope }),
      },
    },
  } satisfies SuiteParts;
}

async function notesOf(suite: ScratchSuite, evals: string[] = ['eval.yaml']): Promise<string[]> {
  const env = { NOTES: suite.path('notes') };
  const { exitCode, stderr } = await suite.proctor(['check', ...evals, '-p', '1'], env);
  expect(exitCode, stderr).toBe(0);
  expect(await suite.leftovers()).toEqual([]);
  return (await suite.read('notes')).trim().split('\n');
}

describe.concurrent('a server that is slow to leave', () => {
  it('holds up neither the first task run nor the next, and keeps its folder', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(lingering(['2'], { parallel: true }));
    const notes = await notesOf(suite);
    // One that was held up would have been killed before it could leave.
    expect(notes.filter((note) => note.startsWith('left')).sort()).toEqual([
      'left with its folder, asked after 0',
      'left with its folder, asked after 1',
      'left with its folder, asked after 2',
    ]);
  });

  it('has left before a task run begins that runs alone', async ({ makeSuite }) => {
    const suite = await makeSuite(lingering([], { parallel: false }));
    expect(await notesOf(suite)).toEqual([
      'started',
      'left with its folder, asked after 0',
      'begun',
      'started',
      'left with its folder, asked after 1',
      'begun',
      'started',
      'left with its folder, asked after 2',
    ]);
  });

  it('adds nothing to the record of a task run that is over', async ({ makeSuite }) => {
    const suite = await makeSuite(lingering([], { parallel: true }));
    const { exitCode, events } = await suite.check(['-p', '1'], { NOTES: suite.path('notes') });
    expect(exitCode).toBe(0);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
    const types = events.map(({ type }) => type);
    expect(types.slice(types.lastIndexOf('task-run-ended'))).toEqual([
      'task-run-ended',
      'run-ended',
    ]);
  });

  it('is started once for a whole run, also for the question what it offers', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(lingering([], { parallel: true, scope: 'run' }));
    expect(await notesOf(suite)).toEqual([
      'started',
      'begun',
      'begun',
      'left with no folder, asked after 2',
    ]);
  });

  it('of one eval is gone while another is checked', async ({ makeSuite }) => {
    const suite = await makeSuite(lingering([], { parallel: true, scope: 'run' }));
    const text = await suite.read('eval.yaml');
    await suite.write('other.yaml', text.replace(/("name": *)"suite"/, '$1"other"'));
    const left = (after: number) => `left with no folder, asked after ${after}`;
    expect(await notesOf(suite, ['eval.yaml', 'other.yaml'])).toEqual([
      ...['started', left(0), 'started', left(0)],
      ...['begun', 'started', 'begun', left(2)],
      ...['begun', 'started', 'begun', left(4)],
    ]);
  });
});
