import type { RecordedAssertion } from './recorded-task-run.js';
import type { AssertionResult } from './task-run-schema.js';

export type ChangeKind = 'now-fails' | 'now-holds' | 'new' | 'removed';

/** What is different about an assertion since it was recorded. */
export interface AssertionChange {
  name: string;
  change: ChangeKind;
  at: { file: string; line: number } | null;
  before: { passed: boolean; reason: string } | null;
  after: { passed: boolean; reason: string } | null;
}

/**
 * Compares verdicts. Lines move while a file is edited, so an assertion is known by its key and its
 * file; of several, the first is taken for the first. One that is left on both sides has moved to
 * another file.
 */
export function assertionChanges(
  before: readonly RecordedAssertion[],
  after: readonly AssertionResult[],
): AssertionChange[] {
  const partners = new Map<AssertionResult, RecordedAssertion>();
  const left = new Set(before);
  const pair = (fits: (now: AssertionResult, then: RecordedAssertion) => boolean) => {
    for (const now of after) {
      if (partners.has(now)) continue;
      const then = [...left].find((each) => each.name === now.name && fits(now, each));
      if (!then) continue;
      partners.set(now, then);
      left.delete(then);
    }
  };
  pair((now, then) => now.at.file === then.at?.file);
  pair(() => true);
  return [
    ...after.flatMap((now) => changeOf(partners.get(now), now)),
    ...[...left].map((then) => ({ ...removed, name: then.name, before: verdictOf(then) })),
  ];
}

const removed = { change: 'removed', at: null, after: null } as const;

function changeOf(then: RecordedAssertion | undefined, now: AssertionResult): AssertionChange[] {
  if (then?.passed === now.passed) return [];
  const change = then ? (now.passed ? 'now-holds' : 'now-fails') : 'new';
  const { name, at } = now;
  return [{ name, change, at, before: then ? verdictOf(then) : null, after: verdictOf(now) }];
}

function verdictOf({ passed, reason }: RecordedAssertion | AssertionResult) {
  return { passed, reason };
}
