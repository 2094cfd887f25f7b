/** Something to run: alone and in order, or together with others. */
interface Scheduled {
  parallel: boolean;
}

interface Schedule<Item> {
  /** How many parallel ones at once. */
  parallel: number;
  /** Asked before each start: whether it is over, for whatever reason. */
  isOver(): boolean;
  run(item: Item): Promise<void>;
}

/** Runs sequential items one at a time, then the parallel ones, several at once. */
export async function runScheduled<Item extends Scheduled>(
  items: readonly Item[],
  { parallel, isOver, run }: Schedule<Item>,
): Promise<void> {
  const inTurn = async (queue: Iterator<Item>) => {
    for (let next = queue.next(); !next.done && !isOver(); next = queue.next()) {
      await run(next.value);
    }
  };
  await inTurn(items.filter((item) => !item.parallel).values());
  const together = items.filter((item) => item.parallel);
  const queue = together.values();
  const workers = Math.min(parallel, together.length);
  await Promise.all(Array.from({ length: workers }, () => inTurn(queue)));
}
