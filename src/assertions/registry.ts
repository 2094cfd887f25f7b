import { type Assertions, isVacuous } from '../config/schemas/assertions-schema.js';
import type { Assertion } from './assertion.js';
import { MaxToolCalls, MaxToolErrors, MinToolCalls } from './call-counts.js';
import { CallOrder } from './call-order.js';
import { itemListAssertions } from './item-lists.js';
import { NoDuplicateCalls } from './no-duplicate-calls.js';
import type { Redact } from './wording.js';

/** The value that each assertion has in a file. */
type Expected = { [Name in keyof Assertions]-?: NonNullable<Assertions[Name]> };

export type AssertionName = keyof Expected;

/**
 * How each assertion is evaluated. The table does not compile while an entry of `assertionDefinitions` has no line
 * here. Lists of items about one kind of call need no line: `itemListAssertions` has them all.
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
 * Creates an assertion for one task run; undefined if it is vacuous with this value. Its verdict quotes names
 * and arguments, truncated after `redact` was applied to them.
 */
export function createAssertion<Name extends AssertionName>(
  name: Name,
  expected: Expected[Name],
  redact: Redact,
): Assertion | undefined {
  return isVacuous(name, expected) ? undefined : factories[name](expected, redact);
}
