import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { StepEnded } from '../../src/journal/step-events.js';
import { markedProcesses } from '../../testing/marked-processes.js';
import { fixtures } from './cli.js';
import { type RunningCheck, startCheck } from './running-check.js';
import type { CheckResult, ScratchSuite } from './scratch-suite.js';

/** An extension of an eval whose program is a fixture. */
export function extension(program: string, more: object = {}) {
  return { package: path.join(fixtures, 'extensions', program), ...more };
}

/** One that keeps a diary beside the eval. */
export function diarist(more: object = {}) {
  return extension('diary.mjs', { env: { DIARY: 'diary', ...more } });
}

interface DiaryEntry {
  pid: number;
  what: string;
  args?: Record<string, string>;
  phase?: string;
  task?: string;
  config?: object;
}

/** What extensions wrote, in the order in which it happened. */
export function diaryOf(suite: ScratchSuite, name = 'diary'): DiaryEntry[] {
  try {
    const lines = readFileSync(suite.path(name), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  } catch {
    // Nobody has been there.
    return [];
  }
}

/** How often a thing happened. */
export function times(diary: readonly DiaryEntry[], what: string): number {
  return diary.filter((entry) => entry.what === what).length;
}

/** Begins a check like the ones of the suite, which can be stopped. */
export function startSuite(suite: ScratchSuite, env: Record<string, string> = {}): RunningCheck {
  return startCheck(['check', 'eval.yaml', '--out', 'out.json'], {
    cwd: suite.folder,
    env: { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder, ...env },
  });
}

/** When it happened for the first time. */
export async function written(suite: ScratchSuite, what: string): Promise<void> {
  // Not expect.poll: it has to know the test that goes on, and several do.
  const hasHappened = () => expect(times(diaryOf(suite), what)).toBeGreaterThan(0);
  await vi.waitFor(hasHappened, { timeout: 60_000 });
}

/** The steps of a task as the journal has them. */
export function stepsOf({ events }: CheckResult, task: string): StepEnded[] {
  return events.flatMap((event) =>
    event.type === 'step-ended' && event.taskRun === `${task}#1` ? [event] : [],
  );
}

export function processesOf(suite: ScratchSuite) {
  return markedProcesses(`TMPDIR=${suite.temporaryFolder}`);
}

/** Neither processes nor folders. */
export async function expectNothingLeft(suite: ScratchSuite): Promise<void> {
  expect(processesOf(suite)).toEqual([]);
  expect(await suite.leftovers()).toEqual([]);
}
