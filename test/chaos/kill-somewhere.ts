import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import type { CheckSuite } from '../support/check-suite.js';

/** What a whole run of the suite takes, to choose moments from. */
export interface TypicalRun {
  durationMs: number;
  events: number;
}

export type Moment = { afterMs: number } | { afterEvents: number };

/** Longer than any check takes, on a machine with much else to do. */
const hangsAfter = 180_000;

/** Half of the moments are by the clock, and half by what has happened. */
export function randomMoment(random: () => number, { durationMs, events }: TypicalRun): Moment {
  return random() < 0.5
    ? { afterMs: random() * durationMs }
    : { afterEvents: Math.ceil(random() * events) };
}

/** Starts a check and kills it at that moment, unless it comes to its end before. */
export async function killAt(
  moment: Moment | undefined,
  suite: CheckSuite,
  args: readonly string[],
): Promise<{ isKilled: boolean; exitCode: number | null; stderr: string }> {
  const check = suite.start(args);
  const stopWaiting = new AbortController();
  const kill = () => check.kill('SIGKILL');
  if (moment) whenItComes(moment, suite.journal, stopWaiting.signal, kill);
  const patience = setTimeout(kill, hangsAfter);
  const { exitCode, signal, stderr } = await check.ended;
  clearTimeout(patience);
  stopWaiting.abort();
  return { isKilled: signal === 'SIGKILL', exitCode, stderr };
}

function whenItComes(moment: Moment, journal: string, signal: AbortSignal, act: () => void): void {
  if ('afterMs' in moment) {
    const timer = setTimeout(act, moment.afterMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
    return;
  }
  const target = linesOf(journal) + moment.afterEvents;
  const watcher = watch(path.dirname(journal), { signal });
  watcher.on('change', () => {
    if (linesOf(journal) >= target) act();
  });
}

export function linesOf(file: string): number {
  return existsSync(file) ? readFileSync(file, 'latin1').split('\n').length - 1 : 0;
}
