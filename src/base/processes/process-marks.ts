import { createHash } from 'node:crypto';
import { ownIdentity, type ProcessIdentity } from './process-identity.js';

/*
 * Variables by which everything that Proctor starts is recognised, whatever group it is in. An agent
 * sees them: neither their names nor their values say what they are for.
 */
const runVariable = '_D1';
const starterVariable = '_D2';

/** Marks what belongs to one run: added to the environment of whatever the run starts. */
export function runMarkVariables(runId: string): NodeJS.ProcessEnv {
  return { [runVariable]: opaque(runId) };
}

/** The mark of a run, as it stands in an environment. */
export function runMark(runId: string): string {
  return `${runVariable}=${opaque(runId)}`;
}

/**
 * Marks what this process has started: it may be one of several that work on a run, or on none.
 */
export function ownMarkVariables(): NodeJS.ProcessEnv {
  return { [starterVariable]: ownMarkValue() };
}

/** The mark of what one process of Proctor started, as it stands in an environment. */
export function startedByMark(identity: ProcessIdentity): string {
  return `${starterVariable}=${markValue(identity)}`;
}

export function ownMark(): string {
  return `${starterVariable}=${ownMarkValue()}`;
}

let knownValue: string | undefined;

function ownMarkValue(): string {
  knownValue ??= markValue(ownIdentity());
  return knownValue;
}

function markValue({ pid, startTime }: ProcessIdentity): string {
  return opaque(`${pid} ${startTime}`);
}

function opaque(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
