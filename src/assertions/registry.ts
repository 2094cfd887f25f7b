import { type Assertions, isVacuous } from '../config/schemas/assertions-schema.js';
import type { Assertion } from './assertion.js';
import { MaxToolCalls, MaxToolErrors, MinToolCalls } from './call-counts.js';
import { CallOrder } from './call-order.js';
import { itemListAssertions } from './item-lists.js';
import { NoDuplicateCalls } from './no-duplicate-calls.js';
import type { Redact } from './wording.js';

/** The values of the keys of `assertions`, where they are set. */
type Expected = { [Name in keyof Assertions]-?: NonNullable<Assertions[Name]> };

export type AssertionName = keyof Expected;

/**
 * How each assertion is evaluated. An assertion is defined by its entry in `assertionDefinitions`, and by a
 * line here: the table does not compile while one is missing.
 */
const factories: {
  [Name in AssertionName]: (expected: Expected[Name], redact: Redact) => Assertion;
} = {
  ...itemListAssertions,
  minToolCalls: (min, redact) => new MinToolCalls(min, redact),
  maxToolCalls: (max, redact) => new MaxToolCalls(max, redact),
  maxToolErrors: (max, redact) => new MaxToolErrors(max, redact),
  callOrder: (items, redact) => new CallOrder(items, redact),
  noDuplicateCalls: (_, redact) => new NoDuplicateCalls(redact),
};

/**
 * Creates an assertion for one task run; undefined if it is vacuous with this value. Verdicts quote
 * names and arguments, cut to sensible lengths; `redact` is applied before they are cut.
 */
export function createAssertion<Name extends AssertionName>(
  name: Name,
  expected: Expected[Name],
  redact: Redact,
): Assertion | undefined {
  return isVacuous(name, expected) ? undefined : factories[name](expected, redact);
}
