import * as z from 'zod/mini';
import { addDescription, anyMap, count, nonEmptyText, optional, pattern } from './fields.js';
import { withRules } from './schema-rules.js';

const server = () =>
  addDescription(nonEmptyText(), 'Name of the MCP server, as in the MCP config.', {
    examples: ['kubernetes'],
  });

/** Unknown keys in assertions are errors: a misspelt assertion would otherwise check nothing. */
function assertionItem<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return withRules(z.strictObject(shape).register(z.globalRegistry, { id }), {
    unknownKey: 'unknown-assertion-field',
    nullIsError: true,
  });
}

function assertionList<Item extends z.ZodMiniType>(item: Item) {
  // Validation compares every item with every other: the number of pairs must stay bounded.
  return withRules(z.array(item).check(z.minLength(1), z.maxLength(1_000)), {
    emptyList: 'empty-list',
  });
}

const toolMembers = {
  server: server(),
  tool: optional(
    nonEmptyText(),
    'Exact tool name. With neither `tool` nor `toolPattern`, any tool of the server.',
    { examples: ['pods_create'] },
  ),
  toolPattern: optional(pattern(), 'RE2 pattern for the tool name, unanchored.', {
    examples: ['^pods_'],
  }),
  args: optional(
    anyMap(),
    'The call matches only if its arguments contain these, deeply. A string written `/re/` is a pattern; `\\/re/` is the text `/re/` itself.',
    { examples: [{ namespace: 'default', name: '/^web-/' }] },
  ),
  argumentsMatch: optional(anyMap(), 'Another name for `args`.', {
    examples: [{ namespace: 'default' }],
  }),
};

const callResult = assertionItem('callResult', {
  isError: addDescription(z.literal(false), 'The call did not fail.', { examples: [false] }),
});

const result = () =>
  optional(callResult, 'What the call returned. Without it, a call counts however it ended.', {
    examples: [{ isError: false }],
  });

const toolAssertion = assertionItem('toolItem', { ...toolMembers, result: result() });
/** Without `result`: a tool that must not be called must not be tried either, however the call ends. */
const forbiddenTool = assertionItem('forbiddenToolItem', toolMembers);

const resourceAssertion = assertionItem('resourceItem', {
  server: server(),
  uri: optional(
    nonEmptyText(),
    'Exact resource URI. With neither `uri` nor `uriPattern`, any resource of the server.',
    { examples: ['file:///config.json'] },
  ),
  uriPattern: optional(pattern(), 'RE2 pattern for the URI, unanchored.', {
    examples: ['secrets'],
  }),
});

const promptAssertion = assertionItem('promptItem', {
  server: server(),
  prompt: optional(
    nonEmptyText(),
    'Exact prompt name. With neither `prompt` nor `promptPattern`, any prompt of the server.',
    { examples: ['summarize'] },
  ),
  promptPattern: optional(pattern(), 'RE2 pattern for the prompt name, unanchored.', {
    examples: ['^sum'],
  }),
});

const callOrderItem = withRules(
  assertionItem('callOrderItem', {
    type: addDescription(z.enum(['tool', 'resource', 'prompt']), 'What kind of call it is.'),
    server: server(),
    name: optional(nonEmptyText(), 'Tool or prompt name, or resource URI.', {
      examples: ['pods_list'],
    }),
    toolPattern: optional(pattern(), 'In place of `name`, for type tool.', {
      examples: ['^pods_'],
    }),
    uriPattern: optional(pattern(), 'In place of `name`, for type resource.', {
      examples: ['^docs://'],
    }),
    promptPattern: optional(pattern(), 'In place of `name`, for type prompt.', {
      examples: ['^sum'],
    }),
    result: result(),
  }),
  { exactlyOne: ['name', 'toolPattern', 'uriPattern', 'promptPattern'] },
);

const skillAssertion = withRules(
  assertionItem('skillItem', {
    skill: optional(nonEmptyText(), 'Exact name of the skill.', { examples: ['greeting'] }),
    skillPattern: optional(pattern(), 'RE2 pattern for the name of the skill.', {
      examples: ['^internal-'],
    }),
  }),
  { exactlyOne: ['skill', 'skillPattern'] },
);

/** What an agent can call: an item of an assertion is about calls of one kind. */
export type CallKind = 'tool' | 'resource' | 'prompt' | 'skill';

/** What the rest of the program must know of an assertion, besides how it is evaluated. */
export interface AssertionDefinition {
  schema: z.ZodMiniOptional<z.ZodMiniType>;
  /**
   * Set if it is a list whose items are all about one kind of call. `mustMatch` says how many of the items must
   * match a call, which is all that src/assertions has to know of such a list.
   */
  items?: { kind: CallKind; mustMatch: 'all' | 'any' | 'none' };
  /** The list that forbids what this one requires. */
  opposite?: string;
  /** Whether the order of its items matters. */
  isOrdered?: true;
  /**
   * Whether it fails when the agent does nothing. If so, blocked calls do not count for it, as nothing
   * happened; for all others they do, as the agent tried.
   */
  requiresCalls?: true;
  /**
   * Set if it always holds in an eval without MCP servers: validation then says that a task with no other
   * assertion is not checked. Lists do not need it: an item whose server is not in the MCP config is a
   * problem anyway, and skills do not come from servers.
   */
  holdsWithoutServers?: true;
  /**
   * Whether it compares the arguments of all tool calls with each other. Redacted arguments then make the
   * verdict of `recheck` uncertain; redacted names of calls may do so with every assertion.
   */
  comparesArguments?: true;
  /** The value with which it is vacuous: it holds whatever the agent does, as if it were not written. */
  vacuousValue?: 0 | false;
}

/**
 * Every assertion. All lists of assertions elsewhere are derived from this table. How each is evaluated is in
 * src/assertions, whose registry does not compile while one is missing.
 */
export const assertionDefinitions = {
  toolsUsed: {
    schema: optional(assertionList(toolAssertion), 'Each item matches at least one tool call.', {
      examples: [[{ server: 'kubernetes', tool: 'pods_create' }]],
    }),
    items: { kind: 'tool', mustMatch: 'all' },
    opposite: 'toolsNotUsed',
    requiresCalls: true,
  },
  requireAny: {
    schema: optional(assertionList(toolAssertion), 'At least one item matches some tool call.', {
      examples: [[{ server: 'kubernetes' }]],
    }),
    items: { kind: 'tool', mustMatch: 'any' },
    requiresCalls: true,
  },
  toolsNotUsed: {
    schema: optional(assertionList(forbiddenTool), 'No item matches any tool call.', {
      examples: [[{ server: 'kubernetes', toolPattern: '_delete$' }]],
    }),
    items: { kind: 'tool', mustMatch: 'none' },
  },
  minToolCalls: {
    schema: optional(
      count(),
      'The agent makes at least this many tool calls, over all servers. 0 checks nothing.',
      { examples: [1] },
    ),
    requiresCalls: true,
    vacuousValue: 0,
  },
  maxToolCalls: {
    schema: optional(count(), 'The agent makes at most this many tool calls, over all servers.', {
      examples: [10],
    }),
    holdsWithoutServers: true,
  },
  resourcesRead: {
    schema: optional(
      assertionList(resourceAssertion),
      'Each item matches at least one resource that was read.',
      { examples: [[{ server: 'docs', uri: 'docs://readme' }]] },
    ),
    items: { kind: 'resource', mustMatch: 'all' },
    opposite: 'resourcesNotRead',
    requiresCalls: true,
  },
  resourcesNotRead: {
    schema: optional(
      assertionList(resourceAssertion),
      'No item matches any resource that was read.',
      { examples: [[{ server: 'kubernetes', uriPattern: 'secrets' }]] },
    ),
    items: { kind: 'resource', mustMatch: 'none' },
  },
  promptsUsed: {
    schema: optional(
      assertionList(promptAssertion),
      'Each item matches at least one prompt that was fetched.',
      { examples: [[{ server: 'docs', prompt: 'summarize' }]] },
    ),
    items: { kind: 'prompt', mustMatch: 'all' },
    opposite: 'promptsNotUsed',
    requiresCalls: true,
  },
  promptsNotUsed: {
    schema: optional(
      assertionList(promptAssertion),
      'No item matches any prompt that was fetched.',
      { examples: [[{ server: 'docs', promptPattern: '^admin_' }]] },
    ),
    items: { kind: 'prompt', mustMatch: 'none' },
  },
  callOrder: {
    schema: optional(
      assertionList(callOrderItem),
      'These calls occur in this order; other calls may lie between them.',
      {
        examples: [
          [
            { type: 'tool', server: 'kubernetes', name: 'pods_list' },
            { type: 'tool', server: 'kubernetes', name: 'pods_create' },
          ],
        ],
      },
    ),
    isOrdered: true,
    requiresCalls: true,
  },
  noDuplicateCalls: {
    schema: optional(
      z.boolean(),
      'No two tool calls have the same server, tool and arguments. `false` checks nothing.',
      { examples: [true] },
    ),
    holdsWithoutServers: true,
    comparesArguments: true,
    vacuousValue: false,
  },
  maxToolErrors: {
    schema: optional(count(), 'At most this many tool calls end in an error.', { examples: [0] }),
    holdsWithoutServers: true,
  },
  skillsLoaded: {
    schema: optional(
      assertionList(skillAssertion),
      'Each item matches at least one skill that the agent loaded.',
      { examples: [[{ skill: 'greeting' }]] },
    ),
    items: { kind: 'skill', mustMatch: 'all' },
    opposite: 'skillsNotLoaded',
    requiresCalls: true,
  },
  skillsNotLoaded: {
    schema: optional(
      assertionList(skillAssertion),
      'No item matches any skill that the agent loaded.',
      { examples: [[{ skillPattern: '^internal-' }]] },
    ),
    items: { kind: 'skill', mustMatch: 'none' },
  },
} as const satisfies Record<string, AssertionDefinition>;

type Definitions = typeof assertionDefinitions;

const assertionFields = Object.fromEntries(
  Object.entries(assertionDefinitions).map(([name, { schema }]) => [name, schema]),
) as { -readonly [Name in keyof Definitions]: Definitions[Name]['schema'] };

export const assertionsSchema = withRules(
  addDescription(
    z.strictObject(assertionFields),
    'What the recorded calls of a task run must be like. All keys are optional.',
    { id: 'assertions' },
  ),
  { unknownKey: 'unknown-assertion', nullIsError: true },
);

export type Assertions = z.infer<typeof assertionsSchema>;

/** Returns the definition of an assertion; undefined if there is none of this name. */
export function findAssertion(name: string): AssertionDefinition | undefined {
  const definitions: Partial<Record<string, AssertionDefinition>> = assertionDefinitions;
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** Whether an assertion is vacuous with this value: it holds whatever the agent does. */
export function isVacuous(name: string, expected: unknown): boolean {
  const definition = findAssertion(name);
  return definition?.vacuousValue !== undefined && definition.vacuousValue === expected;
}
