import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../testing/report-samples.js';
import {
  encodeName,
  findNamedRun,
  findNeighbours,
  findRun,
  findSameRunOfVariants,
  formatHash,
  formatRunLink,
  parseHash,
} from './hash.js';

describe('parseHash', () => {
  it.each([
    ['', 'overview'],
    ['#', 'overview'],
    ['#/', 'overview'],
    ['#/?q=pod', 'overview'],
    ['#/tools', 'tools'],
    ['#/compare?x=1', 'compare'],
    ['#/run/0/create-pod/1', 'run'],
    ['#/run/0', 'unknown'],
    ['#/nothing', 'unknown'],
    ['#/%', 'unknown'],
  ])('parses the address %j as the page %s', (hash, page) => {
    expect(parseHash(hash).page).toBe(page);
  });

  it('parses the address of a task run whose name has slashes and question marks', () => {
    const hash = formatHash(`run/0/${encodeName('a/b?c#d')}/2`, new URLSearchParams({ call: '3' }));
    const route = parseHash(hash);
    expect(route).toMatchObject({ page: 'run', parts: ['0', 'a/b?c#d', '2'] });
    expect(route.query.get('call')).toBe('3');
  });

  it('any name survives encoding and parsing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(parseHash(`#/run/0/${encodeName(name)}/1`).parts[1]).toBe(name);
      }),
    );
  });
});

describe('encodeName', () => {
  it('encodes half a surrogate pair without an error', () => {
    expect(encodeName('a\ud800b')).toBe(encodeName('a\ufffdb'));
  });
});

describe('formatRunLink', () => {
  it('the link of a task run leads to it', () => {
    const index = reportIndex([
      { task: 'create pod', run: 1 },
      { task: 'create pod', run: 2 },
      { task: '__proto__', run: 1, source: 1 },
      { task: 'a/b', run: 1 },
      { task: 'torn \ud800', run: 1 },
    ]);
    for (const place of index.taskRuns.task.keys()) {
      const { page, parts } = parseHash(formatRunLink(index, place));
      expect(page).toBe('run');
      expect(findRun(index, parts)).toBe(place);
    }
  });

  it('task runs of pooled files with the same name have different links', () => {
    const index = reportIndex([{ run: 1 }, { run: 1 }, { run: 1 }]);
    const links = [0, 1, 2].map((place) => formatRunLink(index, place));
    expect(links).toEqual(['#/run/0/a%20task/1', '#/run/0/a%20task/1/2', '#/run/0/a%20task/1/3']);
    expect(links.map((link) => findRun(index, parseHash(link).parts))).toEqual([0, 1, 2]);
  });
});

describe('findNamedRun', () => {
  it('finds a task run by set, task and run, or undefined', () => {
    const index = reportIndex([{ run: 1 }, { run: 2 }]);
    expect(findNamedRun(index, 0, 'a task', 2)).toBe(1);
    expect(findNamedRun(index, 0, 'a task', 3)).toBeUndefined();
    expect(findNamedRun(index, 1, 'a task', 1)).toBeUndefined();
  });
});

describe('task runs of a matrix', () => {
  const index = reportIndex([
    { variant: 'fast', run: 1 },
    { variant: 'slow / a', run: 1 },
    { variant: 'fast', run: 2 },
    { variant: 'slow / a', run: 2 },
    { variant: 'slow / a', run: 1, source: 1 },
  ]);

  it('the link of a task run of a matrix has its variant', () => {
    expect(formatRunLink(index, 0)).toBe('#/run/0/a%20task/fast/1');
    expect(formatRunLink(index, 3)).toBe('#/run/0/a%20task/slow%20%2F%20a/2');
    for (const place of index.taskRuns.task.keys()) {
      expect(findRun(index, parseHash(formatRunLink(index, place)).parts)).toBe(place);
    }
    expect(findNamedRun(index, 1, 'a task', 2)).toBe(3);
  });

  it('a variant that looks like a number makes no link ambiguous', () => {
    const odd = reportIndex([{ run: 1 }, { run: 1 }, { variant: '1', run: 2 }]);
    const links = [0, 1, 2].map((place) => formatRunLink(odd, place));
    expect(new Set(links).size).toBe(3);
    for (const [place, link] of links.entries()) {
      expect(findRun(odd, parseHash(link).parts)).toBe(place);
    }
  });

  it('finds the same run of the other variants', () => {
    expect(findSameRunOfVariants(index, 2)).toEqual([2, 3]);
    expect(findSameRunOfVariants(index, 1)).toEqual([0, 1]);
    expect(findSameRunOfVariants(index, 4)).toEqual([4]);
  });
});

const all = () => [3, 1, 0, 2];

it('the next task run is the next one that the overview shows', () => {
  const shown = [7, 2, 5];
  expect(findNeighbours(shown, all, 2)).toEqual({ before: 7, after: 5, position: 2, total: 3 });
  expect(findNeighbours(shown, all, 7)).toEqual({
    before: undefined,
    after: 2,
    position: 1,
    total: 3,
  });
  expect(findNeighbours(shown, all, 5)).toEqual({
    before: 2,
    after: undefined,
    position: 3,
    total: 3,
  });
});

it('the next task run is among all where the filters do not show this one', () => {
  expect(findNeighbours([], all, 3)).toEqual({
    before: undefined,
    after: 1,
    position: 1,
    total: 4,
  });
  expect(findNeighbours([0, 3], all, 1)).toEqual({ before: 3, after: 0, position: 2, total: 4 });
});
