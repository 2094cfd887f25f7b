import { ownIdentity, type ProcessIdentity } from './process-identity.js';

/** The variable by which everything that a run starts is recognised, whatever group it is in. */
export const runIdVariable = 'PROCTOR_RUN_ID';

/** The same for one process of Proctor, which may be one of several that worked on a run, or on none. */
export const startedByVariable = 'PROCTOR_STARTED_BY';

/** As it stands in the environment of whatever that process started. */
export function startedByMark(identity: ProcessIdentity): string {
  return `${startedByVariable}=${markValue(identity)}`;
}

export function ownMark(): string {
  return `${startedByVariable}=${ownMarkValue()}`;
}

let knownValue: string | undefined;

export function ownMarkValue(): string {
  knownValue ??= markValue(ownIdentity());
  return knownValue;
}

function markValue({ pid, startTime }: ProcessIdentity): string {
  return `${pid} ${startTime}`;
}
