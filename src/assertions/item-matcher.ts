import { isObject } from '../base/json.js';
import {
  type ItemList,
  nameKeys,
  readArgumentPattern,
  readArgumentText,
} from '../config/files/assertion-items.js';
import { compilePattern, type Pattern } from '../config/patterns/pattern.js';
import type { Assertions, CallKind } from '../config/schemas/assertions-schema.js';
import { holdsRedaction, redactionStart } from '../config/secrets/redactor.js';
import type { AgentCall, RedactionAssumption } from './assertion.js';

/** What an item of an assertion expects, in the same form for every kind of call. */
export interface ExpectedCall {
  kind: CallKind;
  /** Empty for skills. */
  server: string;
  /** Without name and pattern, every call of the server matches; with both, a call that matches one of them. */
  name?: string | undefined;
  pattern?: string | undefined;
  /** Values that the call's arguments must contain. */
  args?: unknown;
  /** If set, a failed call does not match. */
  succeeded?: true | undefined;
}

type ItemOf<List extends keyof Assertions> =
  NonNullable<Assertions[List]> extends readonly (infer Item)[] ? Item : never;

export type ListItem = ItemOf<ItemList>;
export type CallOrderItem = ItemOf<'callOrder'>;

/** Reads an item of a list about calls of one kind. */
export function readListItem(kind: CallKind, item: ListItem): ExpectedCall {
  const { server = '', args, argumentsMatch, result, ...names } = item as AnyItem;
  const { exact, pattern } = nameKeys[kind];
  return {
    kind,
    server,
    name: names[exact],
    pattern: names[pattern],
    args: args ?? argumentsMatch,
    succeeded: result && true,
  };
}

/** The members that an item of any list can have. */
type AnyItem = Partial<
  Record<'server' | (typeof nameKeys)[CallKind]['exact' | 'pattern'], string> &
    Pick<ItemOf<'toolsUsed'>, 'args' | 'argumentsMatch' | 'result'>
>;

/** Reads an item of `callOrder`. */
export function readCallOrderItem(item: CallOrderItem): ExpectedCall {
  const { type, server, name, result } = item;
  return {
    kind: type,
    server,
    name,
    pattern: item[nameKeys[type].pattern],
    succeeded: result && true,
  };
}

/**
 * Whether a call matches an item. `other-arguments`: it would match, but has other arguments. `failed`: it would
 * match, but only successful calls count.
 */
export type Match = 'yes' | 'other-arguments' | 'failed' | 'no';

/** Decides which calls match an item of an assertion. */
export class ItemMatcher {
  readonly expected: ExpectedCall;
  readonly #pattern: Pattern | undefined;
  readonly #argsTest: ValueTest | undefined;

  constructor(expected: ExpectedCall) {
    this.expected = expected;
    this.#pattern =
      expected.pattern === undefined ? undefined : compileAssertedPattern(expected.pattern);
    this.#argsTest = expected.args === undefined ? undefined : createContainmentTest(expected.args);
  }

  match(call: AgentCall): Match {
    const { kind, server } = this.expected;
    if (call.kind !== kind || call.server !== server || !this.#matchesName(call)) return 'no';
    if (!this.#matchesArgs(call)) return 'other-arguments';
    return this.expected.succeeded && call.isError && !call.blocked ? 'failed' : 'yes';
  }

  /** Reads the call's `args` only if the item expects some, as reading may parse them. */
  #matchesArgs(call: AgentCall): boolean {
    if (!this.#argsTest) return true;
    const { args = {} } = call;
    return this.#argsTest(args, call.redacted);
  }

  #matchesName({ name, redacted }: AgentCall): boolean {
    if (this.expected.name === undefined && this.#pattern === undefined) return true;
    if (redacted && holdsRedaction(name)) return redacted === 'matches';
    return name === this.expected.name || (this.#pattern?.test(name) ?? false);
  }
}

/** Tests a value; `redacted` says what to assume of its redacted parts. */
type ValueTest = (actual: unknown, redacted?: RedactionAssumption) => boolean;

/**
 * Creates a test whether arguments contain what is expected. A map must have the expected keys, and may have others;
 * a list must have the same items; a string must match an expected string written `/re/`; every other value must
 * be equal. An expected `\/re/` stands for the text `/re/`. The test recurses as deep as what is expected, which was
 * limited when the file was read, and never deeper into what a model sent.
 */
export function createContainmentTest(expected: unknown): ValueTest {
  const source = readArgumentPattern(expected);
  if (source !== undefined) {
    const pattern = compileAssertedPattern(source);
    return (actual, redacted) => {
      if (typeof actual !== 'string') return false;
      return redacted && holdsRedaction(actual) ? redacted === 'matches' : pattern.test(actual);
    };
  }
  if (Array.isArray(expected)) return createListTest(expected.map(createContainmentTest));
  if (isObject(expected)) {
    return createMapTest(
      Object.entries(expected).map(([key, value]) => [key, createContainmentTest(value)]),
    );
  }
  const literal = typeof expected === 'string' ? readArgumentText(expected) : expected;
  return (actual, redacted) =>
    redacted && typeof actual === 'string' && holdsRedaction(actual)
      ? redacted === 'matches' && couldHaveBeen(actual, literal)
      : actual === literal;
}

/** Whether a redacted text can have been this value: what stands before and after the redaction must match. */
function couldHaveBeen(redacted: string, value: unknown): boolean {
  const before = redacted.slice(0, redacted.indexOf(redactionStart));
  const after = redacted.slice(redacted.lastIndexOf(']') + 1);
  // A number that is a secret becomes a string when it is redacted.
  if (typeof value === 'number') return before === '' && after === '';
  return typeof value === 'string' && value.startsWith(before) && value.endsWith(after);
}

function createListTest(tests: readonly ValueTest[]): ValueTest {
  return (actual, redacted) =>
    Array.isArray(actual) &&
    actual.length === tests.length &&
    tests.every((test, index) => test(actual[index], redacted));
}

function createMapTest(tests: readonly [key: string, test: ValueTest][]): ValueTest {
  return (actual, redacted) => {
    if (!isObject(actual)) return false;
    return tests.every(([key, test]) => {
      if (Object.hasOwn(actual, key)) return test(actual[key], redacted);
      return redacted === 'matches' && Object.keys(actual).some(holdsRedaction);
    });
  };
}

/** Compiles a pattern of an assertion; invalid ones were refused when the file was read. */
function compileAssertedPattern(source: string): Pattern {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(`invalid pattern ${JSON.stringify(source)}: ${result.reason}`);
  return result.pattern;
}
