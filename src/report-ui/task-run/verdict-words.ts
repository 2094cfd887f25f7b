import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { counted } from '../elements/amounts.js';

/** What was checked, and how that ended: a verdict is worth nothing without it. */
export function checksInWords({ verified, assertions }: TaskRunSoFar): string {
  return `${verificationInWords(verified)}; ${assertionsInWords(assertions)}.`;
}

function verificationInWords(verified: boolean | null): string {
  if (verified === null) return 'Nothing was verified';
  return verified ? 'Verification passed' : 'Verification did not pass';
}

function assertionsInWords(assertions: TaskRunSoFar['assertions']): string {
  const held = assertions.filter(({ passed }) => passed).length;
  if (assertions.length === 0) return 'no assertion was checked';
  if (held < assertions.length) return `${held} of ${counted(assertions.length, 'assertion')} held`;
  if (held === 1) return 'its assertion held';
  return held === 2 ? 'both assertions held' : `all ${held} assertions held`;
}
