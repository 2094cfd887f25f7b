import type { Assertions } from '../config/schemas/assertions-schema.js';
import type { Check } from './check.js';
import { CallOrder } from './checks/call-order.js';
import { MaxToolCalls } from './checks/max-tool-calls.js';
import { MaxToolErrors } from './checks/max-tool-errors.js';
import { minToolCalls } from './checks/min-tool-calls.js';
import { noDuplicateCalls } from './checks/no-duplicate-calls.js';
import { promptsNotUsed } from './checks/prompts-not-used.js';
import { promptsUsed } from './checks/prompts-used.js';
import { RequireAny } from './checks/require-any.js';
import { resourcesNotRead } from './checks/resources-not-read.js';
import { resourcesRead } from './checks/resources-read.js';
import { skillsLoaded } from './checks/skills-loaded.js';
import { skillsNotLoaded } from './checks/skills-not-loaded.js';
import { toolsNotUsed } from './checks/tools-not-used.js';
import { toolsUsed } from './checks/tools-used.js';
import type { Redact } from './wording/short-text.js';

/** What each key of `assertions` says, where it is given. */
type Expected = { [Name in keyof Assertions]-?: NonNullable<Assertions[Name]> };

export type AssertionName = keyof Expected;

/** Undefined: it covers nothing. */
type CheckOf<Name extends AssertionName> = (
  expected: Expected[Name],
  redact: Redact,
) => Check | undefined;

/** To add an assertion: its key in the schema, one file, and one line here. */
const checkOf: { [Name in AssertionName]: CheckOf<Name> } = {
  toolsUsed,
  requireAny: (items, redact) => new RequireAny(items, redact),
  toolsNotUsed,
  minToolCalls,
  maxToolCalls: (max, redact) => new MaxToolCalls(max, redact),
  resourcesRead,
  resourcesNotRead,
  promptsUsed,
  promptsNotUsed,
  callOrder: (items, redact) => new CallOrder(items, redact),
  noDuplicateCalls,
  maxToolErrors: (max, redact) => new MaxToolErrors(max, redact),
  skillsLoaded,
  skillsNotLoaded,
};

/**
 * A check for one key of `assertions`, for one task run; undefined if the value covers nothing.
 * Verdicts quote names and arguments, cut to sensible lengths: `redact` sees them whole before.
 */
export function createCheck<Name extends AssertionName>(
  name: Name,
  expected: Expected[Name],
  redact: Redact,
): Check | undefined {
  return checkOf[name](expected, redact);
}
