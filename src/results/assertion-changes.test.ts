import { describe, expect, it } from 'vitest';
import { assertionChanges } from './assertion-changes.js';
import type { RecordedAssertion } from './recorded-task-run.js';
import type { AssertionResult } from './task-run-schema.js';

describe('assertionChanges', () => {
  const recorded = (name: string, passed: boolean, file?: string): RecordedAssertion => ({
    name,
    passed,
    reason: 'then',
    at: file === undefined ? null : { file, line: 3 },
  });
  const rechecked = (
    name: string,
    passed: boolean,
    file = 'eval.yaml',
    line = 9,
  ): AssertionResult => ({
    name,
    passed,
    reason: 'now',
    details: [],
    at: { file, line },
    calls: [],
  });

  it('compares what has the same key, whatever line it is on', () => {
    const then = ['a', 'b', 'c', 'd'].map((name) => recorded(name, name < 'c', 'eval.yaml'));
    const now = [
      rechecked('a', true),
      rechecked('b', false),
      rechecked('c', true),
      rechecked('e', true),
    ];
    expect(assertionChanges(then, now)).toEqual([
      {
        name: 'b',
        change: 'now-fails',
        at: { file: 'eval.yaml', line: 9 },
        before: { passed: true, reason: 'then' },
        after: { passed: false, reason: 'now' },
      },
      expect.objectContaining({ name: 'c', change: 'now-holds' }),
      expect.objectContaining({ name: 'e', change: 'new', before: null }),
      expect.objectContaining({ name: 'd', change: 'removed', at: null, after: null }),
    ]);
  });

  it('keeps the same key in two files apart, and finds what has moved', () => {
    const then = [recorded('a', true, 'eval.yaml'), recorded('a', false, 'tasks/x.yaml')];
    expect(
      assertionChanges(then, [rechecked('a', false, 'tasks/x.yaml'), rechecked('a', true)]),
    ).toEqual([]);
    expect(assertionChanges(then.slice(0, 1), [rechecked('a', true, 'tasks/x.yaml')])).toEqual([]);
  });

  it('takes several of one file in their order', () => {
    const then = [recorded('a', true, 'eval.yaml'), recorded('a', false, 'eval.yaml')];
    const now = [rechecked('a', true, 'eval.yaml', 1), rechecked('a', false, 'eval.yaml', 20)];
    expect(assertionChanges(then, now)).toEqual([]);
  });

  it('compares with verdicts that have no place', () => {
    expect(assertionChanges([recorded('a', false)], [rechecked('a', true)])).toMatchObject([
      { change: 'now-holds' },
    ]);
  });
});
