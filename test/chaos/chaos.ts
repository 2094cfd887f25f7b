import { CheckSuite } from '../support/check-suite.js';
import { flawsOf } from './flaws.js';
import { killAt, linesOf, randomMoment, type TypicalRun } from './kill-somewhere.js';
import { randomNumbers } from './random.js';

export interface ChaosOptions {
  kills: number;
  seed: number;
  /** Told after each suite that came to its end. */
  progress?(text: string): void;
}

export interface ChaosResult {
  kills: number;
  suites: number;
  /** Kills before the journal had its first line. */
  early: number;
  /** Kills of a check that had resumed. */
  whileResuming: number;
  /** What was wrong, and where the suite is that shows it. */
  flaws: string[];
  folder?: string;
}

const tasks = Array.from({ length: 10 }, (_, n) => `t${n + 1}`);
const runs = 3;
const taskRuns = tasks.flatMap((task) =>
  Array.from({ length: runs }, (_, n) => `${task}#${n + 1}`),
);
/** Of those that go on after a kill, so many are killed again. */
const killedAgain = 0.6;

/** Kills checks of a suite of 30 task runs at random moments, until one comes to its end; again and again. */
export async function runChaos({ kills, seed, progress }: ChaosOptions): Promise<ChaosResult> {
  const random = randomNumbers(seed);
  const result: ChaosResult = { kills: 0, suites: 0, early: 0, whileResuming: 0, flaws: [] };
  const typical = await typicalRun();
  progress?.(`undisturbed: ${typical.durationMs} ms, ${typical.events} events`);
  while (result.kills < kills) {
    const suite = await newSuite();
    const before = result.kills;
    result.flaws = await disturb(suite, random, typical, result, kills);
    result.suites += 1;
    const flaws = result.flaws.length === 0 ? 'fine' : result.flaws.join('; ');
    progress?.(
      `${result.kills}/${kills} kills, suite ${result.suites}: ${result.kills - before}, ${flaws}`,
    );
    if (result.flaws.length > 0) return { ...result, folder: suite.folder };
    await suite.remove();
  }
  return result;
}

function newSuite(): Promise<CheckSuite> {
  return CheckSuite.create({ tasks, runs, parallel: true });
}

async function typicalRun(): Promise<TypicalRun> {
  const suite = await newSuite();
  const started = performance.now();
  const { exitCode, stderr } = await killAt(undefined, suite, ['-p', '4']);
  if (exitCode !== 0) throw new Error(`the suite does not even pass undisturbed:\n${stderr}`);
  const typical = {
    durationMs: Math.round(performance.now() - started),
    events: linesOf(suite.journal),
  };
  await suite.remove();
  return typical;
}

/** Tells what is wrong in the end. */
async function disturb(
  suite: CheckSuite,
  random: () => number,
  typical: TypicalRun,
  result: ChaosResult,
  kills: number,
): Promise<string[]> {
  for (let resumes = 0; ; resumes++) {
    const isLeft = result.kills < kills && (resumes === 0 || random() < killedAgain);
    const moment = isLeft ? randomMoment(random, typical) : undefined;
    const args = ['-p', '4', ...(resumes > 0 ? ['--resume'] : [])];
    const { isKilled, exitCode, stderr } = await killAt(moment, suite, args);
    if (isKilled && !moment) return ['it hung, and was killed'];
    if (!isKilled && exitCode !== 0) return [`it ended with ${exitCode}:\n${stderr}`];
    if (!isKilled) return flawsOf(suite, taskRuns);
    result.kills += 1;
    if (resumes > 0) result.whileResuming += 1;
    if (linesOf(suite.journal) === 0) result.early += 1;
  }
}
