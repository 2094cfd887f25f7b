import type { Assertions } from '../config/schemas/assertions-schema.js';
import type { Assertion } from './assertion.js';
import { createMinToolCalls, MaxToolCalls, MaxToolErrors } from './call-counts.js';
import { CallOrder } from './call-order.js';
import { itemListAssertions } from './item-lists.js';
import { createNoDuplicateCalls } from './no-duplicate-calls.js';
import type { Redact } from './wording.js';

/** The values of the keys of `assertions`, where they are set. */
type Expected = { [Name in keyof Assertions]-?: NonNullable<Assertions[Name]> };

export type AssertionName = keyof Expected;

/** Undefined: the value asks for nothing, so there is nothing to evaluate. */
type AssertionFactory<Name extends AssertionName> = (
  expected: Expected[Name],
  redact: Redact,
) => Assertion | undefined;

/**
 * To add an assertion: its key in the schema, its facts in config/files/assertion-items.ts, its class here, and
 * one line in this table. Table and facts do not compile while it is missing.
 */
const factories: { [Name in AssertionName]: AssertionFactory<Name> } = {
  ...itemListAssertions,
  minToolCalls: createMinToolCalls,
  maxToolCalls: (max, redact) => new MaxToolCalls(max, redact),
  maxToolErrors: (max, redact) => new MaxToolErrors(max, redact),
  callOrder: (items, redact) => new CallOrder(items, redact),
  noDuplicateCalls: createNoDuplicateCalls,
};

/**
 * Creates an assertion for one task run; undefined if the value asks for nothing. Verdicts quote names
 * and arguments, cut to sensible lengths: `redact` sees them whole before.
 */
export function createAssertion<Name extends AssertionName>(
  name: Name,
  expected: Expected[Name],
  redact: Redact,
): Assertion | undefined {
  return factories[name](expected, redact);
}
