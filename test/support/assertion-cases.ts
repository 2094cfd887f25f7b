import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** What a scripted agent does, and whether one assertion holds then, and why. */
export interface AssertionCase {
  /** Name of the assertion. */
  name: string;
  title: string;
  does: object[];
  expected: unknown;
  holds: boolean;
  /** `#2` stands for the number that the record gives to the second call. */
  reason: string;
  /** Which of the calls in `does` the verdict shows, from 1. */
  calls: number[];
}

interface WrittenCase {
  title: string;
  does: string[];
  expected: unknown;
  holds?: string;
  fails?: string;
  calls?: number[];
}

const file = path.resolve(import.meta.dirname, '../fixtures/assertions/cases.yaml');

export function readAssertionCases(): AssertionCase[] {
  const { actions, ...assertions } = parse(readFileSync(file, 'utf8'));
  return Object.entries<WrittenCase[]>(assertions).flatMap(([name, cases]) =>
    cases.map(({ title, does, expected, holds, fails, calls = [] }) => ({
      name,
      title,
      does: does.map((action) => actions[action]),
      expected,
      holds: holds !== undefined,
      reason: holds ?? fails ?? '',
      calls,
    })),
  );
}
