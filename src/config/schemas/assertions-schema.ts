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

export const assertionsSchema = withRules(
  addDescription(
    z.strictObject({
      toolsUsed: optional(
        assertionList(toolAssertion),
        'Each item matches at least one tool call.',
        { examples: [[{ server: 'kubernetes', tool: 'pods_create' }]] },
      ),
      requireAny: optional(
        assertionList(toolAssertion),
        'At least one item matches some tool call.',
        { examples: [[{ server: 'kubernetes' }]] },
      ),
      toolsNotUsed: optional(assertionList(forbiddenTool), 'No item matches any tool call.', {
        examples: [[{ server: 'kubernetes', toolPattern: '_delete$' }]],
      }),
      minToolCalls: optional(
        count(),
        'Fewest tool calls over all servers, inclusive. 0 checks nothing.',
        { examples: [1] },
      ),
      maxToolCalls: optional(count(), 'Most tool calls over all servers, inclusive.', {
        examples: [10],
      }),
      resourcesRead: optional(
        assertionList(resourceAssertion),
        'Each item matches at least one resource that was read.',
        { examples: [[{ server: 'docs', uri: 'docs://readme' }]] },
      ),
      resourcesNotRead: optional(
        assertionList(resourceAssertion),
        'No item matches any resource that was read.',
        { examples: [[{ server: 'kubernetes', uriPattern: 'secrets' }]] },
      ),
      promptsUsed: optional(
        assertionList(promptAssertion),
        'Each item matches at least one prompt that was fetched.',
        { examples: [[{ server: 'docs', prompt: 'summarize' }]] },
      ),
      promptsNotUsed: optional(
        assertionList(promptAssertion),
        'No item matches any prompt that was fetched.',
        { examples: [[{ server: 'docs', promptPattern: '^admin_' }]] },
      ),
      callOrder: optional(
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
      noDuplicateCalls: optional(
        z.boolean(),
        'No two tool calls have the same server, tool and arguments. `false` checks nothing.',
        { examples: [true] },
      ),
      maxToolErrors: optional(count(), 'Most tool calls that may end in an error.', {
        examples: [0],
      }),
      skillsLoaded: optional(
        assertionList(skillAssertion),
        'Each item matches at least one skill that the agent loaded.',
        { examples: [[{ skill: 'greeting' }]] },
      ),
      skillsNotLoaded: optional(
        assertionList(skillAssertion),
        'No item matches any skill that the agent loaded.',
        { examples: [[{ skillPattern: '^internal-' }]] },
      ),
    }),
    'What the recorded calls of a task run must be like. All keys are optional.',
    { id: 'assertions' },
  ),
  { unknownKey: 'unknown-assertion', nullIsError: true },
);

export type Assertions = z.infer<typeof assertionsSchema>;
