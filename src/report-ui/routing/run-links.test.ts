import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../testing/report-samples.js';
import { parseHash } from './hash.js';
import { placeOfNamedRun, placeOfRun, runLink, sameRunOfVariants } from './run-links.js';

describe('runLink', () => {
  it('leads back to the task run', () => {
    const index = reportIndex([
      { task: 'create pod', run: 1 },
      { task: 'create pod', run: 2 },
      { task: '__proto__', run: 1, source: 1 },
      { task: 'a/b', run: 1 },
      { task: 'torn \ud800', run: 1 },
    ]);
    for (const place of index.taskRuns.task.keys()) {
      const { page, parts } = parseHash(runLink(index, place));
      expect(page).toBe('run');
      expect(placeOfRun(index, parts)).toBe(place);
    }
  });

  it('tells task runs of the same name apart, as pooled files have them', () => {
    const index = reportIndex([{ run: 1 }, { run: 1 }, { run: 1 }]);
    const links = [0, 1, 2].map((place) => runLink(index, place));
    expect(links).toEqual(['#/run/0/a%20task/1', '#/run/0/a%20task/1/2', '#/run/0/a%20task/1/3']);
    expect(links.map((link) => placeOfRun(index, parseHash(link).parts))).toEqual([0, 1, 2]);
  });
});

describe('placeOfNamedRun', () => {
  it('finds a task run by the names that analyses use, and says so if there is none', () => {
    const index = reportIndex([{ run: 1 }, { run: 2 }]);
    expect(placeOfNamedRun(index, 0, 'a task', 2)).toBe(1);
    expect(placeOfNamedRun(index, 0, 'a task', 3)).toBeUndefined();
    expect(placeOfNamedRun(index, 1, 'a task', 1)).toBeUndefined();
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

  it('have their variant in the link', () => {
    expect(runLink(index, 0)).toBe('#/run/0/a%20task/fast/1');
    expect(runLink(index, 3)).toBe('#/run/0/a%20task/slow%20%2F%20a/2');
    for (const place of index.taskRuns.task.keys()) {
      expect(placeOfRun(index, parseHash(runLink(index, place)).parts)).toBe(place);
    }
    expect(placeOfNamedRun(index, 1, 'a task', 2)).toBe(3);
  });

  it('are not mixed up where a variant looks like a number', () => {
    const odd = reportIndex([{ run: 1 }, { run: 1 }, { variant: '1', run: 2 }]);
    const links = [0, 1, 2].map((place) => runLink(odd, place));
    expect(new Set(links).size).toBe(3);
    for (const [place, link] of links.entries()) {
      expect(placeOfRun(odd, parseHash(link).parts)).toBe(place);
    }
  });

  it('lead to the same run of the other variants', () => {
    expect(sameRunOfVariants(index, 2)).toEqual([2, 3]);
    expect(sameRunOfVariants(index, 1)).toEqual([0, 1]);
    expect(sameRunOfVariants(index, 4)).toEqual([4]);
  });
});
