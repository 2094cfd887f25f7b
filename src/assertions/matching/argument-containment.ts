import { isObject } from '../../base/json.js';
import { argumentPattern, argumentText } from '../../config/files/assertion-items.js';
import { holdsRedaction, redactionStart } from '../../config/secrets/redactor.js';
import type { Redacted } from '../check.js';
import { assertedPattern } from './asserted-pattern.js';

/** `redacted`: see `Redacted`; undefined: nothing is. */
export type ValueTest = (actual: unknown, redacted?: Redacted) => boolean;

/**
 * Whether arguments contain what is expected: of maps the keys that are named, of lists every item,
 * of anything else the same JSON value; a string written `/re/` is a pattern for strings, and one that
 * begins with `\/` is what follows the backslash. It goes as
 * deep as what is expected, which a file has bounded, and never deeper into what a model sent.
 */
export function containmentOf(expected: unknown): ValueTest {
  const source = argumentPattern(expected);
  if (source !== undefined) {
    const pattern = assertedPattern(source);
    return (actual, redacted) => {
      if (typeof actual !== 'string') return false;
      return redacted && holdsRedaction(actual) ? redacted === 'fits' : pattern.test(actual);
    };
  }
  if (Array.isArray(expected)) return listContainment(expected.map(containmentOf));
  if (isObject(expected)) {
    return mapContainment(
      Object.entries(expected).map(([key, value]) => [key, containmentOf(value)]),
    );
  }
  const literal = typeof expected === 'string' ? argumentText(expected) : expected;
  return (actual, redacted) =>
    redacted && typeof actual === 'string' && holdsRedaction(actual)
      ? redacted === 'fits' && couldBe(actual, literal)
      : actual === literal;
}

/** Whether a redacted text can have been this value: what is left of it is still there. */
function couldBe(redacted: string, value: unknown): boolean {
  const before = redacted.slice(0, redacted.indexOf(redactionStart));
  const behind = redacted.slice(redacted.lastIndexOf(']') + 1);
  // A number that is a secret becomes a text.
  if (typeof value === 'number') return before === '' && behind === '';
  return typeof value === 'string' && value.startsWith(before) && value.endsWith(behind);
}

function listContainment(tests: readonly ValueTest[]): ValueTest {
  return (actual, redacted) =>
    Array.isArray(actual) &&
    actual.length === tests.length &&
    tests.every((test, index) => test(actual[index], redacted));
}

function mapContainment(tests: readonly [key: string, test: ValueTest][]): ValueTest {
  return (actual, redacted) => {
    if (!isObject(actual)) return false;
    return tests.every(([key, test]) => {
      if (Object.hasOwn(actual, key)) return test(actual[key], redacted);
      return redacted === 'fits' && Object.keys(actual).some(holdsRedaction);
    });
  };
}
