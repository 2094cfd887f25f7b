import { playRound, type RoundResult } from './chaos-round.js';

export interface QueueChaosOptions {
  rounds: number;
  /** Of the first round; each has one more than the one before. */
  seed: number;
  /** Rounds at once. */
  atOnce: number;
  /** Told after each round. */
  progress?(text: string): void;
}

export interface QueueChaosResult extends Omit<RoundResult, 'faults' | 'folder'> {
  rounds: number;
  /** How often what was done. */
  faults: Record<string, number>;
}

/** Plays rounds, and adds up what came of them. */
export async function runQueueChaos(options: QueueChaosOptions): Promise<QueueChaosResult> {
  const { rounds, seed, atOnce, progress } = options;
  const sum: QueueChaosResult = {
    rounds: 0,
    faults: {},
    taskRuns: 0,
    workers: 0,
    lost: 0,
    longestRecoveryMs: 0,
    flaws: [],
  };
  let next = seed;
  const playSome = async () => {
    while (next < seed + rounds) {
      const own = next++;
      const started = performance.now();
      const result = await playRound(own);
      add(sum, result, own);
      progress?.(summaryOf(result, own, performance.now() - started));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, playSome));
  return sum;
}

function add(sum: QueueChaosResult, round: RoundResult, seed: number): void {
  sum.rounds += 1;
  for (const kind of round.faults) sum.faults[kind] = (sum.faults[kind] ?? 0) + 1;
  sum.taskRuns += round.taskRuns;
  sum.workers += round.workers;
  sum.lost += round.lost;
  sum.longestRecoveryMs = Math.max(sum.longestRecoveryMs, round.longestRecoveryMs);
  sum.flaws.push(...round.flaws.map((flaw) => `seed ${seed} (${round.folder}): ${flaw}`));
}

function summaryOf(round: RoundResult, seed: number, milliseconds: number): string {
  const { faults, lost, workers, longestRecoveryMs, flaws } = round;
  return [
    `seed ${seed}: ${(milliseconds / 1000).toFixed(1)} s, ${faults.join(', ')};`,
    `${workers} workers, ${lost} attempts lost, longest recovery ${longestRecoveryMs} ms:`,
    flaws.length === 0 ? 'fine' : `${round.folder}\n  ${flaws.join('\n  ')}`,
  ].join(' ');
}
