import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  agentCall,
  anyCalls,
  manyCalls,
  redactNothing,
  verdictOn,
} from '../../testing/agent-calls.js';
import {
  type AssertionDefinition,
  type Assertions,
  assertionDefinitions,
  assertionsSchema,
} from '../config/schemas/assertions-schema.js';
import { type AssertionName, createAssertion } from './registry.js';

const server = 'shop';
const toolItems = fc.constantFrom<NonNullable<Assertions['toolsUsed']>[]>(
  [{ server, tool: 'add' }],
  [{ server: 'docs' }],
  [
    { server, tool: 'list' },
    { server, toolPattern: '^re' },
  ],
  [{ server, tool: 'add', args: { id: 1 } }],
  [{ server, toolPattern: 'l', args: { tags: ['/^a$/'] } }],
);
const resourceItems = fc.constantFrom<NonNullable<Assertions['resourcesRead']>[]>(
  [{ server, uri: 'add' }],
  [{ server: 'docs' }],
);
const promptItems = fc.constantFrom<NonNullable<Assertions['promptsUsed']>[]>(
  [{ server, prompt: 'add' }],
  [{ server, promptPattern: 'l' }],
);
const skillItems = fc.constantFrom<NonNullable<Assertions['skillsLoaded']>[]>(
  [{ skill: 'add' }],
  [{ skillPattern: 'l' }],
);
const orderItems = fc.constantFrom<NonNullable<Assertions['callOrder']>[]>(
  [{ type: 'tool', server, name: 'list' }],
  [
    { type: 'tool', server, toolPattern: '^l' },
    { type: 'prompt', server, name: 'add' },
  ],
);

type Values = Partial<Record<string, fc.Arbitrary<unknown>>>;

/** Values that match some of the calls in `anyCalls`. Optional: without an entry, the schema's examples are used. */
const values: Values = {
  toolsUsed: toolItems,
  requireAny: toolItems,
  minToolCalls: fc.integer({ min: 1, max: 5 }),
  resourcesRead: resourceItems,
  promptsUsed: promptItems,
  callOrder: orderItems,
  skillsLoaded: skillItems,
  toolsNotUsed: toolItems,
  maxToolCalls: fc.nat({ max: 5 }),
  resourcesNotRead: resourceItems,
  promptsNotUsed: promptItems,
  maxToolErrors: fc.nat({ max: 3 }),
  skillsNotLoaded: skillItems,
};

function valuesFor(doesRequireCalls: boolean): Values {
  return Object.fromEntries(
    Object.entries<AssertionDefinition>(assertionDefinitions)
      .filter(([, { requiresCalls = false }]) => requiresCalls === doesRequireCalls)
      .map(([name, { schema }]) => {
        const { examples = [] } = z.globalRegistry.get(schema) ?? {};
        return [name, values[name] ?? fc.constantFrom(...(examples as unknown[]))];
      }),
  );
}

/** Assertions that hold for good once they hold, whatever calls follow. */
const requiringCalls = valuesFor(true);
/** Assertions that have failed for good once they fail, whatever calls follow. */
const forbiddingCalls = valuesFor(false);

const anyOf = (kinds: Values): fc.Arbitrary<Assertions> =>
  fc.oneof(
    ...Object.entries(kinds).map(([name, expected]) =>
      (expected ?? fc.constant(undefined)).map((value) => ({ [name]: value }) as Assertions),
    ),
  );

/** Creates the assertion of an object that has only one. */
function createOnly(assertions: Assertions) {
  const [[name, expected] = []] = Object.entries(assertions);
  // Object.entries loses which type of value belongs to which name.
  return createAssertion(name as AssertionName, expected as never, redactNothing);
}

describe('createAssertion', () => {
  it('creates every assertion of the schema', () => {
    const names = Object.keys(assertionsSchema.shape);
    expect(Object.keys({ ...requiringCalls, ...forbiddingCalls }).sort()).toEqual(names.sort());
    fc.assert(
      fc.property(anyOf({ ...requiringCalls, ...forbiddingCalls }), (assertions) => {
        expect(createOnly(assertions)).toBeDefined();
      }),
    );
  });

  it('creates no assertion for a vacuous value', () => {
    expect(createAssertion('minToolCalls', 0, redactNothing)).toBeUndefined();
    expect(createAssertion('noDuplicateCalls', false, redactNothing)).toBeUndefined();
    expect(createAssertion('maxToolCalls', 0, redactNothing)).toBeDefined();
    expect(createAssertion('maxToolErrors', 0, redactNothing)).toBeDefined();
  });

  it('does not look at arguments where only names matter: reading them takes time', () => {
    const call = {
      ...agentCall(1, 'list'),
      get args(): unknown {
        throw new Error('looked at');
      },
    };
    const items = [
      { server, tool: 'list' },
      { server, tool: 'add', args: {} },
    ];
    const { details } = verdictOn(createAssertion('toolsUsed', items, redactNothing), [call]);
    expect(details?.[0]).toBe('shop.list: called (call 1)');
  });

  it.each([
    ['a few', anyCalls, { numRuns: 500 }],
    // Hundreds of calls are not shrunk: that would take minutes.
    ['hundreds of', manyCalls, { numRuns: 100, endOnFailure: true }],
  ] as const)('says the same in whatever order %s calls are seen', (_, calls, parameters) => {
    const shuffled = calls.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(
        anyOf({ ...requiringCalls, ...forbiddingCalls }),
        shuffled,
        (assertions, [arrived, seen]) => {
          const verdict = verdictOn(createOnly(assertions), seen);
          expect(verdict).toEqual(verdictOn(createOnly(assertions), arrived));
          expect(verdict.calls).toEqual([...new Set(verdict.calls)].sort((a, b) => a - b));
          expect(verdict.reason).toMatch(/^\S.*\S$/);
        },
      ),
      parameters,
    );
  });

  it('a required call that was made still counts after further calls', () => {
    fc.assert(
      fc.property(anyOf(requiringCalls), anyCalls, anyCalls, (assertions, calls, more) => {
        const assertion = createOnly(assertions);
        fc.pre(verdictOn(assertion, calls).passed);
        expect(verdictOn(assertion, numberedFrom(calls.length, more)).passed).toBe(true);
      }),
    );
  });

  it('a forbidden call that was made still counts after further calls', () => {
    fc.assert(
      fc.property(anyOf(forbiddingCalls), anyCalls, anyCalls, (assertions, calls, more) => {
        const assertion = createOnly(assertions);
        fc.pre(!verdictOn(assertion, calls).passed);
        expect(verdictOn(assertion, numberedFrom(calls.length, more)).passed).toBe(false);
      }),
    );
  });

  it('counts blocked calls for what is forbidden, and for nothing that is required', () => {
    const blocked = anyCalls.map((calls) => calls.map((call) => ({ ...call, blocked: true })));
    fc.assert(
      fc.property(anyOf(requiringCalls), blocked, (assertions, calls) => {
        expect(verdictOn(createOnly(assertions), calls).passed).toBe(false);
      }),
    );
    fc.assert(
      fc.property(anyOf(forbiddingCalls), anyCalls, (assertions, calls) => {
        const tried = calls.map((call) => ({ ...call, blocked: true, isError: true }));
        const made = calls.map((call) => ({ ...call, blocked: false, isError: true }));
        const { passed } = verdictOn(createOnly(assertions), made);
        expect(verdictOn(createOnly(assertions), tried).passed).toBe(passed);
      }),
    );
  });

  it('a verdict has a bounded length, however long and many the names are', () => {
    const long = 'x'.repeat(50_000);
    const calls = Array.from({ length: 300 }, (_, index) =>
      agentCall(index + 1, `${long}${index % 150}`, {
        server: long,
        args: { [long]: long },
        isError: true,
      }),
    );
    fc.assert(
      fc.property(anyOf({ ...requiringCalls, ...forbiddingCalls }), (assertions) => {
        const { reason, details = [] } = verdictOn(createOnly(assertions), calls);
        for (const text of [reason, ...details]) expect(text.length).toBeLessThan(1_000);
      }),
      { numRuns: 30 },
    );
  });
});

const numberedFrom = (start: number, calls: Parameters<typeof verdictOn>[1]) =>
  calls.map((call, index) => ({ ...call, number: start + index + 1 }));
