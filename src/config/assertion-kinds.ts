import type { Assertions } from './schemas/assertions-schema.js';

/** What an item of an assertion can be about, with its keys for an exact name and for a pattern. */
export const callKinds = {
  tool: { exact: 'tool', pattern: 'toolPattern' },
  resource: { exact: 'uri', pattern: 'uriPattern' },
  prompt: { exact: 'prompt', pattern: 'promptPattern' },
  skill: { exact: 'skill', pattern: 'skillPattern' },
} as const;

export type CallKind = keyof typeof callKinds;

/** The assertions that are lists of items of one kind. `callOrder` mixes kinds. */
export const kindOfList = {
  toolsUsed: 'tool',
  requireAny: 'tool',
  toolsNotUsed: 'tool',
  resourcesRead: 'resource',
  resourcesNotRead: 'resource',
  promptsUsed: 'prompt',
  promptsNotUsed: 'prompt',
  skillsLoaded: 'skill',
  skillsNotLoaded: 'skill',
} as const satisfies Partial<Record<keyof Assertions, CallKind>>;

export type ItemList = keyof typeof kindOfList;

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
