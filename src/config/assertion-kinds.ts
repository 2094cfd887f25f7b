import type { Assertions } from './schemas/assertions-schema.js';

/** What an item of an assertion can be about, with its keys for an exact name and for a pattern. */
export const callKinds = {
  tool: { exact: 'tool', pattern: 'toolPattern' },
  resource: { exact: 'uri', pattern: 'uriPattern' },
  prompt: { exact: 'prompt', pattern: 'promptPattern' },
  skill: { exact: 'skill', pattern: 'skillPattern' },
} as const;

export type CallKind = keyof typeof callKinds;

/** What is known of an assertion without evaluating it. */
interface AssertionFacts {
  /** It is a list of items about calls of this kind. `callOrder` mixes kinds. */
  items?: CallKind;
  /** It fails when the agent does nothing. */
  requiresCalls?: true;
  /** It holds whatever the agent does, if there is no server. */
  holdsWithoutServers?: true;
  /** It compares the arguments of all tool calls with each other. */
  comparesCalls?: true;
  /** The list that forbids what this one requires. */
  opposite?: keyof Assertions;
}

/** Facts of every assertion. `minToolCalls` requires calls if it is above 0. */
const assertionFacts = {
  toolsUsed: { items: 'tool', requiresCalls: true, opposite: 'toolsNotUsed' },
  requireAny: { items: 'tool', requiresCalls: true },
  toolsNotUsed: { items: 'tool' },
  minToolCalls: {},
  maxToolCalls: { holdsWithoutServers: true },
  resourcesRead: { items: 'resource', requiresCalls: true, opposite: 'resourcesNotRead' },
  resourcesNotRead: { items: 'resource' },
  promptsUsed: { items: 'prompt', requiresCalls: true, opposite: 'promptsNotUsed' },
  promptsNotUsed: { items: 'prompt' },
  callOrder: { requiresCalls: true },
  noDuplicateCalls: { holdsWithoutServers: true, comparesCalls: true },
  maxToolErrors: { holdsWithoutServers: true },
  skillsLoaded: { items: 'skill', requiresCalls: true, opposite: 'skillsNotLoaded' },
  skillsNotLoaded: { items: 'skill' },
} as const satisfies Record<keyof Assertions, AssertionFacts>;

type Facts = typeof assertionFacts;

/** Names of the assertions that are lists of items of one kind. */
export type ItemList = {
  [Name in keyof Facts]: Facts[Name] extends { items: CallKind } ? Name : never;
}[keyof Facts];

/** The kind of the items of each such list. */
export const kindOfList = Object.fromEntries(
  Object.entries<AssertionFacts>(assertionFacts).flatMap(([name, { items }]) =>
    items === undefined ? [] : [[name, items]],
  ),
) as { [Name in ItemList]: Facts[Name]['items'] };

/** Pairs of a list that requires items and the list that forbids the same. */
export const oppositeLists = Object.entries<AssertionFacts>(assertionFacts).flatMap(
  ([name, { opposite }]) => (opposite === undefined ? [] : [[name, opposite]]),
) as (readonly [ItemList, ItemList])[];

/** Names of the assertions with a fact. */
export function assertionsWith(fact: keyof AssertionFacts): (keyof Assertions)[] {
  const names = Object.keys(assertionFacts) as (keyof Assertions)[];
  return names.filter((name) => fact in assertionFacts[name]);
}

/** An item of any list, as far as its keys are texts. */
export type AssertionItem = Partial<Record<string, string>>;

const exactKeys = ['name', ...Object.values(callKinds).map(({ exact }) => exact)];
const patternKeys = Object.values(callKinds).map(({ pattern }) => pattern);

/** The key that names what an item is about, and what it says; none means anything of the server. */
export function exactOf(item: AssertionItem): { key: string; name: string } | undefined {
  return firstOf(item, exactKeys);
}

export function patternOf(item: AssertionItem): { key: string; name: string } | undefined {
  return firstOf(item, patternKeys);
}

function firstOf(item: AssertionItem, keys: readonly string[]) {
  const key = keys.find((each) => item[each] !== undefined);
  return key === undefined ? undefined : { key, name: item[key] ?? '' };
}
