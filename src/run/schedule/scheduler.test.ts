import { describe, expect, it } from 'vitest';
import { createListedWork, runScheduled, type WorkSource } from './scheduler.js';

/** Things that end when the test says so. */
class Works {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();

  run(name: string): Promise<void> {
    this.begun.push(name);
    return new Promise((resolve, reject) => {
      this.#ends.set(name, (error) => (error ? reject(error) : resolve()));
    });
  }

  async end(name: string, error?: Error): Promise<void> {
    this.#ends.get(name)?.(error);
    await settled();
  }
}

/** Everything that can happen by itself has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const item = (name: string, parallel = true) => ({ name, parallel });

describe('the scheduler', () => {
  it('runs what is sequential alone and first, then as many at once as it may', async () => {
    const works = new Works();
    const items = [item('a'), item('b', false), item('c'), item('d', false), item('e')];
    const all = runScheduled(createListedWork(items), {
      parallel: 2,
      isOver: () => false,
      run: ({ name }) => works.run(name),
    });
    await settled();
    expect(works.begun).toEqual(['b']);
    await works.end('b');
    expect(works.begun).toEqual(['b', 'd']);
    await works.end('d');
    expect(works.begun).toEqual(['b', 'd', 'a', 'c']);
    await works.end('c');
    expect(works.begun).toEqual(['b', 'd', 'a', 'c', 'e']);
    await works.end('a');
    await works.end('e');
    await all;
  });

  it('asks again when something has ended, where nothing could be started before', async () => {
    const works = new Works();
    const begun: string[] = [];
    let open = ['first'];
    const source: WorkSource<string> = {
      peek: (isParallel) => (isParallel ? open[0] : undefined),
      begin: (name) => {
        begun.push(name);
        open = [];
      },
    };
    const all = runScheduled(source, {
      parallel: 4,
      isOver: () => false,
      run: (name) => works.run(name),
    });
    await settled();
    expect(begun).toEqual(['first']);
    open = ['second'];
    await works.end('first');
    expect(begun).toEqual(['first', 'second']);
    await works.end('second');
    await all;
  });

  it('starts nothing when it is over, lets what runs end, and asks only if there is more', async () => {
    const works = new Works();
    let isOver = false;
    let asked = 0;
    const all = runScheduled(createListedWork([item('a'), item('b'), item('c')]), {
      parallel: 2,
      isOver: () => {
        asked += 1;
        return isOver;
      },
      run: ({ name }) => works.run(name),
    });
    await settled();
    expect({ begun: works.begun, asked }).toEqual({ begun: ['a', 'b'], asked: 2 });
    isOver = true;
    await works.end('a');
    await works.end('b');
    await all;
    expect(works.begun).toEqual(['a', 'b']);
  });

  it('tells of a failure when what runs beside it has ended, and starts nothing more', async () => {
    const works = new Works();
    const all = runScheduled(createListedWork([item('a'), item('b'), item('c')]), {
      parallel: 2,
      isOver: () => false,
      run: ({ name }) => works.run(name),
    });
    let isOver = false;
    const failed = expect(all.finally(() => (isOver = true))).rejects.toThrow('a bug');
    await settled();
    await works.end('a', new Error('a bug'));
    expect(isOver).toBe(false);
    await works.end('b');
    await failed;
    expect(works.begun).toEqual(['a', 'b']);
  });

  it('is not asked whether it is over when there is nothing to start', async () => {
    let asked = 0;
    await runScheduled(createListedWork([item('a')]), {
      parallel: 2,
      isOver: () => {
        asked += 1;
        return false;
      },
      run: async () => {},
    });
    expect(asked).toBe(1);
  });
});
