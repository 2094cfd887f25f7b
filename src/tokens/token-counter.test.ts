import { afterEach, describe, expect, it } from 'vitest';
import { TokenCounter } from './token-counter.js';

/**
 * A worker that says how long each text is, and dies of some. (The real one is part of the build:
 * test/project/token-worker.test.ts.)
 */
const lengthWorker = workerProgram(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (batch) => {
    const texts = batch.flat();
    if (texts.includes('throw')) throw new Error('as asked');
    if (texts.includes('exit')) process.exit(1);
    if (texts.includes('fill the memory')) for (const all = []; ; ) all.push(new Array(10_000).fill(0));
    if (texts.includes('say nothing')) return;
    parentPort.postMessage(batch.map((each) => each.map((text) => text.length)));
  });
`);

function workerProgram(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

const counters: TokenCounter[] = [];

function newCounter(workerFile: string | URL = lengthWorker, maxWaiting = 10): TokenCounter {
  const counter = new TokenCounter({ workerFile, maxWaiting });
  counters.push(counter);
  return counter;
}

afterEach(async () => {
  await Promise.all(counters.splice(0).map((counter) => counter.close()));
});

describe('count', () => {
  it('answers every request, in order', async () => {
    const counter = newCounter();
    const order: number[] = [];
    const requests = Array.from({ length: 100 }, (_, index) => ['x'.repeat(index), '']);
    const answers = requests.map(async (texts, index) => {
      const counts = await counter.count(texts);
      order.push(index);
      return counts;
    });
    expect(await Promise.all(answers)).toEqual(requests.map((_, index) => [index, 0]));
    expect(order).toEqual(requests.map((_, index) => index));
  });

  it('goes on after a pause', async () => {
    const counter = newCounter();
    expect(await counter.count(['a'])).toEqual([1]);
    await counter.idle();
    expect(await counter.count(['ab', 'abc'])).toEqual([2, 3]);
  });
});

describe('a worker that dies', () => {
  it.each(['throw', 'exit', 'fill the memory'])(
    'takes along only what it was counting (%s)',
    async (cause) => {
      const counter = newCounter();
      const texts = ['a', cause, 'ab', 'abc'];
      const answers = await Promise.all(texts.map((text) => counter.count([text])));
      expect(answers).toEqual([[1], undefined, [2], [3]]);
    },
    60_000,
  );

  it('is replaced twice, and then no more', async () => {
    const counter = newCounter();
    const texts = ['throw', 'a', 'exit', 'ab', 'throw', 'abc', 'abcd'];
    const answers = await Promise.all(texts.map((text) => counter.count([text])));
    expect(answers).toEqual([undefined, [1], undefined, [2], undefined, undefined, undefined]);
    expect(await counter.count(['a'])).toBeUndefined();
  });

  it('while it has nothing to do is replaced for the next text', async () => {
    const counter = newCounter(
      workerProgram(`
        import { parentPort } from 'node:worker_threads';
        parentPort.once('message', ([texts]) => {
          parentPort.postMessage([[texts.length]]);
          parentPort.close();
        });
      `),
    );
    expect(await counter.count(['a'])).toEqual([1]);
    // A text that comes just before its death is noticed is lost with it.
    const next = (await counter.count(['a', 'b'])) ?? (await counter.count(['a', 'b']));
    expect(next).toEqual([2]);
  });

  it.each([
    ['has no file', '/nowhere/token-worker.cjs'],
    ['cannot be started', 'a/relative/path'],
    ['is no program', workerProgram('this is no JavaScript')],
  ])('because it %s leaves everything uncounted', async (_, workerFile) => {
    const counter = newCounter(workerFile);
    const texts = Array.from({ length: 50 }, () => ['some text']);
    const answers = await Promise.all(texts.map((text) => counter.count(text)));
    expect(answers.every((answer) => answer === undefined)).toBe(true);
    expect(counter.pressure()).toBeUndefined();
  });
});

describe('pressure', () => {
  it('lasts as long as more is waiting than there is room for', async () => {
    const counter = newCounter();
    const small = counter.count(['x'.repeat(10)]);
    expect(counter.pressure()).toBeUndefined();
    counter.count(['x']);
    const pressure = counter.pressure();
    expect(pressure).toBeInstanceOf(Promise);
    await pressure;
    expect(await small).toEqual([10]);
    expect(counter.pressure()).toBeUndefined();
  });

  it('begins by default when more than two million characters wait', async () => {
    const counter = new TokenCounter();
    counter.count(['x'.repeat(2 * 1024 * 1024)]);
    expect(counter.pressure()).toBeUndefined();
    counter.count(['x']);
    const pressure = counter.pressure();
    expect(pressure).toBeInstanceOf(Promise);
    await counter.close();
    await pressure;
  });

  it('ends for all that wait, also by closing', async () => {
    const counter = newCounter();
    counter.count(['say nothing', 'x'.repeat(10)]);
    const waiting = [counter.pressure(), counter.pressure()];
    await counter.close();
    await Promise.all(waiting);
    expect(counter.pressure()).toBeUndefined();
  });
});

describe('idle', () => {
  it('waits for all that has been asked for', async () => {
    const counter = newCounter();
    await counter.idle();
    const answered: unknown[] = [];
    for (const text of ['a', 'throw', 'ab']) {
      counter.count([text]).then((counts) => answered.push(counts));
    }
    await counter.idle();
    expect(answered).toEqual([[1], undefined, [2]]);
  });
});

describe('close', () => {
  it('leaves uncounted what has no answer yet, and what comes later', async () => {
    const counter = newCounter();
    expect(await counter.count(['a'])).toEqual([1]);
    const outstanding = [counter.count(['say nothing']), counter.count(['a'])];
    await counter.close();
    expect(await Promise.all(outstanding)).toEqual([undefined, undefined]);
    expect(await counter.count(['a'])).toBeUndefined();
    await counter.idle();
  });

  it('can be called before anything was counted, and twice', async () => {
    const counter = newCounter();
    await counter.close();
    await counter.close();
    expect(await counter.count(['a'])).toBeUndefined();
  });
});
