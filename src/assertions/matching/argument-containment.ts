import { argumentPattern } from '../../config/assertion-items.js';
import { isMap } from '../../config/kind.js';
import { assertedPattern } from './asserted-pattern.js';

export type ValueTest = (actual: unknown) => boolean;

/**
 * Whether arguments contain what is expected: of maps the keys that are named, of lists every item,
 * of anything else the same JSON value; a string written `/re/` is a pattern for strings. It goes as
 * deep as what is expected, which a file has bounded, and never deeper into what a model sent.
 */
export function containmentOf(expected: unknown): ValueTest {
  const source = argumentPattern(expected);
  if (source !== undefined) {
    const pattern = assertedPattern(source);
    return (actual) => typeof actual === 'string' && pattern.test(actual);
  }
  if (Array.isArray(expected)) return listContainment(expected.map(containmentOf));
  if (isMap(expected)) {
    return mapContainment(
      Object.entries(expected).map(([key, value]) => [key, containmentOf(value)]),
    );
  }
  return (actual) => actual === expected;
}

function listContainment(tests: readonly ValueTest[]): ValueTest {
  return (actual) =>
    Array.isArray(actual) &&
    actual.length === tests.length &&
    tests.every((test, index) => test(actual[index]));
}

function mapContainment(tests: readonly [key: string, test: ValueTest][]): ValueTest {
  return (actual) =>
    isMap(actual) && tests.every(([key, test]) => Object.hasOwn(actual, key) && test(actual[key]));
}
