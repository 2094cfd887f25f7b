import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const giveUpAfterMs = 120_000;
const lookEveryMs = 100;
/** Longer than any line of these benchmarks. */
const tailLength = 64 * 1024;

/** Waits until the last event of a journal is this one: then everything is on the disk. */
export async function journalReaches(file: string, seq: number): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs;
  let last: number | undefined;
  while (last !== seq) {
    if (performance.now() > deadline) {
      throw new Error(`the journal ends with event ${last} and not with ${seq}`);
    }
    await wait(lookEveryMs);
    last = await lastSeq(file);
  }
}

async function lastSeq(file: string): Promise<number | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, tailLength));
    await handle.read(bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString().split('\n');
    const [, seq] = /^\{"seq":(\d+),/.exec(lines.at(-2) ?? '') ?? [];
    return seq === undefined ? undefined : Number(seq);
  } finally {
    await handle.close();
  }
}
