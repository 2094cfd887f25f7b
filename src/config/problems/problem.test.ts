import { describe, expect, it } from 'vitest';
import { SourceFile } from '../yaml/source-file.js';
import { Problems } from './problem.js';

const text = Array.from({ length: 3_000 }, (_, index) => `key${index}: value`).join('\n');
const file = new SourceFile('/eval.yaml', 'eval.yaml', text);

describe('Problems', () => {
  it('sorts by file, line and column, and keeps one of each', () => {
    const problems = new Problems();
    const other = new SourceFile('/a.yaml', 'a.yaml', text);
    for (const key of ['key7', 'key3', 'key7', 'key11']) {
      problems.atKey(file, [key], 'unknown-key', 'unknown');
      problems.atValue(file, [key], 'wrong-type', 'wrong');
    }
    problems.atKey(other, ['key9'], 'unknown-key', 'unknown');
    const places = problems.report().problems.map(({ file, line, column }) => [file, line, column]);
    expect(places).toEqual([
      ['a.yaml', 10, 1],
      ['eval.yaml', 4, 1],
      ['eval.yaml', 4, 7],
      ['eval.yaml', 8, 1],
      ['eval.yaml', 8, 7],
      ['eval.yaml', 12, 1],
      ['eval.yaml', 12, 8],
    ]);
  });

  it('counts errors and warnings; strict makes errors of all', () => {
    const problems = new Problems();
    problems.atKey(file, ['key1'], 'unknown-key', 'a warning');
    problems.atKey(file, ['key2'], 'wrong-type', 'an error');
    expect(problems.report()).toMatchObject({ errors: 1, warnings: 1, truncated: false });
    expect(problems.report({ strict: true })).toMatchObject({ errors: 2, warnings: 0 });
    expect(problems.report()).toMatchObject({ errors: 1, warnings: 1 });
  });

  it('takes over those of another collection that are wanted, with their texts', () => {
    const problems = new Problems();
    const others = new Problems();
    problems.atKey(file, ['key1'], 'unknown-key', 'unknown');
    others.atKey(file, ['key1'], 'unknown-key', 'unknown');
    others.atKey(new SourceFile('/a.yaml', 'a.yaml', text), ['key2'], 'wrong-type', 'wrong');
    others.atKey(file, ['key3'], 'unused-label', 'unused');
    problems.addFrom(others, ({ code }) => code !== 'unused-label');
    const report = problems.report();
    expect(report.problems.map(({ code }) => code)).toEqual(['wrong-type', 'unknown-key']);
    expect([...report.texts.keys()].sort()).toEqual(['a.yaml', 'eval.yaml']);
  });

  it('is bounded, but never by warnings so that an error gets lost', () => {
    const problems = new Problems();
    for (let index = 0; index < 2_500; index++) {
      problems.atKey(file, [`key${index}`], 'unknown-key', 'a warning');
    }
    problems.atKey(file, ['key2999'], 'wrong-type', 'an error');
    const report = problems.report();
    expect(report).toMatchObject({ errors: 1, warnings: 1_000, truncated: true });
    expect(report.problems.at(-1)).toMatchObject({ line: 3_000, severity: 'error' });
  });
});
