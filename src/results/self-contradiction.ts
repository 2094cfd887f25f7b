import type { Outcome, PhaseEnded } from '../journal/task-run-events.js';

interface Verdict {
  outcome: Outcome | null;
  failure?: unknown;
  verified: boolean | null;
  assertionsHeld: boolean | null;
  assertions?: readonly { name: string; passed: boolean }[];
  phases?: { agent: Phase; verify: Phase };
}

type Phase = { outcome: PhaseEnded['outcome'] | null } | null;

/**
 * What a task run that is said to have passed has beside it that no pass can have. Undefined: nothing, or
 * it is not said to have passed.
 */
export function contradictionOf(verdict: Verdict): string | undefined {
  const { outcome, failure, verified, assertionsHeld, assertions = [], phases } = verdict;
  if (outcome !== 'passed') return undefined;
  if (verified === false) return '"passed" beside verified: false';
  if (assertionsHeld === false) return '"passed" beside assertionsHeld: false';
  if (failure !== undefined && failure !== null) return '"passed" beside a failure';
  for (const name of ['agent', 'verify'] as const) {
    const ended = phases?.[name]?.outcome ?? 'passed';
    if (ended !== 'passed') return `"passed" beside the outcome ${ended} of ${name}`;
  }
  const broken = assertions.find(({ passed }) => !passed);
  if (broken) return `"passed" beside the assertion ${broken.name}, which did not hold`;
  if (verified === null && assertionsHeld === null)
    return '"passed" beside nothing that was checked';
  return undefined;
}
