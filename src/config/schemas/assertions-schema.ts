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
  // Every item is held against every other: the number of pairs must stay bounded.
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
/** What must not be called must not be tried either. */
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

/** What an item of an assertion can be about. */
export type CallKind = 'tool' | 'resource' | 'prompt' | 'skill';

/** An assertion as far as it is known without evaluating it. */
export interface AssertionDefinition {
  schema: z.ZodMiniOptional<z.ZodMiniType>;
  /** The kind of calls that the items of its list are about. Undefined: it is no such list, or mixes kinds. */
  items?: CallKind;
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
   * Without any server it always holds, so that it checks nothing there. Lists do not need this: an item
   * whose server is not in the MCP config is a problem, and skills do not come from servers.
   */
  holdsWithoutServers?: true;
  /**
   * Whether it compares the arguments of all tool calls with each other, so that `recheck` cannot trust
   * redacted ones.
   */
  comparesArguments?: true;
  /** The value with which it is vacuous: it holds whatever the agent does, as if it were not written. */
  vacuousValue?: 0 | false;
}

/**
 * Every assertion with its schema and what other rooms must know of it; their own lists of assertions are
 * derived from this table. How each is evaluated is in src/assertions, whose registry does not compile
 * while one is missing.
 */
export const assertionDefinitions = {
  toolsUsed: {
    schema: optional(assertionList(toolAssertion), 'Each item matches at least one tool call.', {
      examples: [[{ server: 'kubernetes', tool: 'pods_create' }]],
    }),
    items: 'tool',
    opposite: 'toolsNotUsed',
    requiresCalls: true,
  },
  requireAny: {
    schema: optional(assertionList(toolAssertion), 'At least one item matches some tool call.', {
      examples: [[{ server: 'kubernetes' }]],
    }),
    items: 'tool',
    requiresCalls: true,
  },
  toolsNotUsed: {
    schema: optional(assertionList(forbiddenTool), 'No item matches any tool call.', {
      examples: [[{ server: 'kubernetes', toolPattern: '_delete$' }]],
    }),
    items: 'tool',
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
    items: 'resource',
    opposite: 'resourcesNotRead',
    requiresCalls: true,
  },
  resourcesNotRead: {
    schema: optional(
      assertionList(resourceAssertion),
      'No item matches any resource that was read.',
      { examples: [[{ server: 'kubernetes', uriPattern: 'secrets' }]] },
    ),
    items: 'resource',
  },
  promptsUsed: {
    schema: optional(
      assertionList(promptAssertion),
      'Each item matches at least one prompt that was fetched.',
      { examples: [[{ server: 'docs', prompt: 'summarize' }]] },
    ),
    items: 'prompt',
    opposite: 'promptsNotUsed',
    requiresCalls: true,
  },
  promptsNotUsed: {
    schema: optional(
      assertionList(promptAssertion),
      'No item matches any prompt that was fetched.',
      { examples: [[{ server: 'docs', promptPattern: '^admin_' }]] },
    ),
    items: 'prompt',
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
    items: 'skill',
    opposite: 'skillsNotLoaded',
    requiresCalls: true,
  },
  skillsNotLoaded: {
    schema: optional(
      assertionList(skillAssertion),
      'No item matches any skill that the agent loaded.',
      { examples: [[{ skillPattern: '^internal-' }]] },
    ),
    items: 'skill',
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
