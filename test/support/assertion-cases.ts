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
  /** The reason that the verdict gives. */
  reason: string;
  /** Numbers of the calls that the verdict shows. */
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
