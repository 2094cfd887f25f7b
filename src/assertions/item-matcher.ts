import { isObject } from '../base/json.js';
import {
  argumentPattern,
  argumentText,
  callKinds,
  type ItemList,
} from '../config/files/assertion-items.js';
import { compilePattern, type Pattern } from '../config/patterns/pattern.js';
import type { Assertions, CallKind } from '../config/schemas/assertions-schema.js';
import { holdsRedaction, redactionStart } from '../config/secrets/redactor.js';
import type { AgentCall, Redacted } from './assertion.js';

/** What an item of an assertion expects, in the same form for every kind of call. */
export interface ExpectedCall {
  kind: CallKind;
  /** Empty for skills. */
  server: string;
  /** Without name and pattern, anything of the server matches; with both, either has to. */
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
  const { exact, pattern } = callKinds[kind];
  return {
    kind,
    server,
    name: names[exact],
    pattern: names[pattern],
    args: args ?? argumentsMatch,
    succeeded: result && true,
  };
}

/** The keys of the items of all lists. */
type AnyItem = Partial<
  Record<'server' | (typeof callKinds)[CallKind]['exact' | 'pattern'], string> &
    Pick<ItemOf<'toolsUsed'>, 'args' | 'argumentsMatch' | 'result'>
>;

export function readCallOrderItem(item: CallOrderItem): ExpectedCall {
  const { type, server, name, result } = item;
  return {
    kind: type,
    server,
    name,
    pattern: item[callKinds[type].pattern],
    succeeded: result && true,
  };
}

/**
 * How a call fits an item. `other-arguments`: it matches but for its arguments. `failed`: it matches, but
 * failed where only successful calls count.
 */
export type Fit = 'yes' | 'other-arguments' | 'failed' | 'no';

/** Decides which calls match an item of an assertion. */
export class ItemMatcher {
  readonly expected: ExpectedCall;
  readonly #pattern: Pattern | undefined;
  readonly #argsFit: ValueTest | undefined;

  constructor(expected: ExpectedCall) {
    this.expected = expected;
    this.#pattern =
      expected.pattern === undefined ? undefined : compileAssertedPattern(expected.pattern);
    this.#argsFit = expected.args === undefined ? undefined : createContainmentTest(expected.args);
  }

  fit(call: AgentCall): Fit {
    const { kind, server } = this.expected;
    if (call.kind !== kind || call.server !== server || !this.#fitsName(call)) return 'no';
    if (!this.#fitsArgs(call)) return 'other-arguments';
    return this.expected.succeeded && call.isError && !call.blocked ? 'failed' : 'yes';
  }

  /** Compared last, and only where needed: reading `args` may parse them. */
  #fitsArgs(call: AgentCall): boolean {
    if (!this.#argsFit) return true;
    const { args = {} } = call;
    return this.#argsFit(args, call.redacted);
  }

  #fitsName({ name, redacted }: AgentCall): boolean {
    if (this.expected.name === undefined && this.#pattern === undefined) return true;
    if (redacted && holdsRedaction(name)) return redacted === 'fits';
    return name === this.expected.name || (this.#pattern?.test(name) ?? false);
  }
}

/** Tests a value; `redacted` says how its redacted parts are treated. */
type ValueTest = (actual: unknown, redacted?: Redacted) => boolean;

/**
 * Creates a test whether arguments contain what is expected: of maps the named keys, of lists every item,
 * of anything else the same JSON value; a string written `/re/` is a pattern for strings, and one that
 * begins with `\/` is what follows the backslash. It recurses as
 * deep as what is expected, which a file has bounded, and never deeper into what a model sent.
 */
export function createContainmentTest(expected: unknown): ValueTest {
  const source = argumentPattern(expected);
  if (source !== undefined) {
    const pattern = compileAssertedPattern(source);
    return (actual, redacted) => {
      if (typeof actual !== 'string') return false;
      return redacted && holdsRedaction(actual) ? redacted === 'fits' : pattern.test(actual);
    };
  }
  if (Array.isArray(expected)) return createListTest(expected.map(createContainmentTest));
  if (isObject(expected)) {
    return createMapTest(
      Object.entries(expected).map(([key, value]) => [key, createContainmentTest(value)]),
    );
  }
  const literal = typeof expected === 'string' ? argumentText(expected) : expected;
  return (actual, redacted) =>
    redacted && typeof actual === 'string' && holdsRedaction(actual)
      ? redacted === 'fits' && couldHaveBeen(actual, literal)
      : actual === literal;
}

/** Whether a redacted text can have been this value: the parts around the redaction have to match. */
function couldHaveBeen(redacted: string, value: unknown): boolean {
  const before = redacted.slice(0, redacted.indexOf(redactionStart));
  const behind = redacted.slice(redacted.lastIndexOf(']') + 1);
  // A number that is a secret becomes a string when it is redacted.
  if (typeof value === 'number') return before === '' && behind === '';
  return typeof value === 'string' && value.startsWith(before) && value.endsWith(behind);
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
      return redacted === 'fits' && Object.keys(actual).some(holdsRedaction);
    });
  };
}

/** Compiles a pattern of an assertion. Reading the file has refused invalid ones. */
function compileAssertedPattern(source: string): Pattern {
  const result = compilePattern(source);
  if (!result.ok) throw new Error(`invalid pattern ${JSON.stringify(source)}: ${result.reason}`);
  return result.pattern;
}
