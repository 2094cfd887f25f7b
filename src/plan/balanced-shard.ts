import { LeastLoaded } from './least-loaded.js';
import type { Shard } from './shard.js';

/**
 * The task runs of one shard, where it is known how long each takes: the longest first, each to the
 * shard that has least to do. The heaviest shard then has at most 4/3 - 1/(3N) times what the best
 * of all ways would give it. The sequential ones count as one long task run; whichever shard gets
 * that is called the first, as in `shardOf`. Weights are whole numbers, so that sums are exact, and
 * nothing else decides: machines that never talk to each other agree.
 */
export function balancedShardOf<Run extends { parallel: boolean }>(
  runs: readonly Run[],
  { index, of }: Shard,
  weightOf: (run: Run) => number,
): Run[] {
  const sequential = runs.filter((run) => !run.parallel);
  const blocks = sequential.length > 0 ? [sequential] : [];
  const pieces = [...blocks, ...runs.filter((run) => run.parallel).map((run) => [run])].map(
    (piece) => ({ piece, weight: piece.reduce((sum, run) => sum + weightOf(run), 0) }),
  );
  // More shards than pieces stay empty, and need no place here.
  const shards = new LeastLoaded(Math.min(of, pieces.length));
  const shardOfPiece = new Map<readonly Run[], number>();
  // Sorting keeps the order of the plan among equals.
  for (const { piece, weight } of [...pieces].sort((one, other) => other.weight - one.weight)) {
    shardOfPiece.set(piece, shards.add(weight) + 1);
  }
  const first = shardOfPiece.get(sequential) ?? 1;
  const wanted = index === 1 ? first : index === first ? 1 : index;
  return pieces.flatMap(({ piece }) => (shardOfPiece.get(piece) === wanted ? piece : []));
}
