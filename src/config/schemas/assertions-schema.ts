import * as z from 'zod';
import { anyMap, count, nonEmptyText, pattern } from './fields.js';
import { withRules } from './schema-rules.js';

const server = () =>
  nonEmptyText()
    .describe('Name of the MCP server, as in the MCP config.')
    .meta({ examples: ['kubernetes'] });

/** Unknown keys in assertions are errors: a misspelt assertion would otherwise check nothing. */
function assertionItem<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return withRules(z.strictObject(shape).meta({ id }), {
    unknownKey: 'unknown-assertion-field',
    nullIsError: true,
  });
}

function assertionList<Item extends z.ZodType>(item: Item) {
  return withRules(z.array(item).min(1), { emptyList: 'empty-list' });
}

const toolAssertion = assertionItem('toolItem', {
  server: server(),
  tool: nonEmptyText()
    .optional()
    .describe('Exact tool name. With neither `tool` nor `toolPattern`, any tool of the server.')
    .meta({ examples: ['pods_create'] }),
  toolPattern: pattern()
    .optional()
    .describe('RE2 pattern for the tool name, unanchored.')
    .meta({ examples: ['^pods_'] }),
  args: anyMap()
    .optional()
    .describe(
      'The call matches only if its arguments contain these, deeply. A string written `/re/` is a pattern.',
    )
    .meta({ examples: [{ namespace: 'default', name: '/^web-/' }] }),
  argumentsMatch: anyMap()
    .optional()
    .describe('Another name for `args`.')
    .meta({ examples: [{ namespace: 'default' }] }),
});

const resourceAssertion = assertionItem('resourceItem', {
  server: server(),
  uri: nonEmptyText()
    .optional()
    .describe(
      'Exact resource URI. With neither `uri` nor `uriPattern`, any resource of the server.',
    )
    .meta({ examples: ['file:///config.json'] }),
  uriPattern: pattern()
    .optional()
    .describe('RE2 pattern for the URI, unanchored.')
    .meta({ examples: ['secrets'] }),
});

const promptAssertion = assertionItem('promptItem', {
  server: server(),
  prompt: nonEmptyText()
    .optional()
    .describe(
      'Exact prompt name. With neither `prompt` nor `promptPattern`, any prompt of the server.',
    )
    .meta({ examples: ['summarize'] }),
  promptPattern: pattern()
    .optional()
    .describe('RE2 pattern for the prompt name, unanchored.')
    .meta({ examples: ['^sum'] }),
});

const callOrderItem = withRules(
  assertionItem('callOrderItem', {
    type: z.enum(['tool', 'resource', 'prompt']).describe('What kind of call it is.'),
    server: server(),
    name: nonEmptyText()
      .optional()
      .describe('Tool or prompt name, or resource URI.')
      .meta({ examples: ['pods_list'] }),
    toolPattern: pattern()
      .optional()
      .describe('In place of `name`, for type tool.')
      .meta({ examples: ['^pods_'] }),
    uriPattern: pattern()
      .optional()
      .describe('In place of `name`, for type resource.')
      .meta({ examples: ['^docs://'] }),
    promptPattern: pattern()
      .optional()
      .describe('In place of `name`, for type prompt.')
      .meta({ examples: ['^sum'] }),
  }),
  { exactlyOne: ['name', 'toolPattern', 'uriPattern', 'promptPattern'] },
);

const skillAssertion = withRules(
  assertionItem('skillItem', {
    skill: nonEmptyText()
      .optional()
      .describe('Exact name of the skill.')
      .meta({ examples: ['greeting'] }),
    skillPattern: pattern()
      .optional()
      .describe('RE2 pattern for the name of the skill.')
      .meta({ examples: ['^internal-'] }),
  }),
  { exactlyOne: ['skill', 'skillPattern'] },
);

export const assertionsSchema = withRules(
  z
    .strictObject({
      toolsUsed: assertionList(toolAssertion)
        .optional()
        .describe('Each item matches at least one tool call.')
        .meta({ examples: [[{ server: 'kubernetes', tool: 'pods_create' }]] }),
      requireAny: assertionList(toolAssertion)
        .optional()
        .describe('At least one item matches some tool call.')
        .meta({ examples: [[{ server: 'kubernetes' }]] }),
      toolsNotUsed: assertionList(toolAssertion)
        .optional()
        .describe('No item matches any tool call.')
        .meta({ examples: [[{ server: 'kubernetes', toolPattern: '_delete$' }]] }),
      minToolCalls: count()
        .optional()
        .describe('Fewest tool calls over all servers, inclusive. 0 checks nothing.')
        .meta({ examples: [1] }),
      maxToolCalls: count()
        .optional()
        .describe('Most tool calls over all servers, inclusive.')
        .meta({ examples: [10] }),
      resourcesRead: assertionList(resourceAssertion)
        .optional()
        .describe('Each item matches at least one resource that was read.')
        .meta({ examples: [[{ server: 'docs', uri: 'docs://readme' }]] }),
      resourcesNotRead: assertionList(resourceAssertion)
        .optional()
        .describe('No item matches any resource that was read.')
        .meta({ examples: [[{ server: 'kubernetes', uriPattern: 'secrets' }]] }),
      promptsUsed: assertionList(promptAssertion)
        .optional()
        .describe('Each item matches at least one prompt that was fetched.')
        .meta({ examples: [[{ server: 'docs', prompt: 'summarize' }]] }),
      promptsNotUsed: assertionList(promptAssertion)
        .optional()
        .describe('No item matches any prompt that was fetched.')
        .meta({ examples: [[{ server: 'docs', promptPattern: '^admin_' }]] }),
      callOrder: assertionList(callOrderItem)
        .optional()
        .describe('These calls occur in this order; other calls may lie between them.')
        .meta({
          examples: [
            [
              { type: 'tool', server: 'kubernetes', name: 'pods_list' },
              { type: 'tool', server: 'kubernetes', name: 'pods_create' },
            ],
          ],
        }),
      noDuplicateCalls: z
        .boolean()
        .optional()
        .describe(
          'No two tool calls have the same server, tool and arguments. `false` checks nothing.',
        )
        .meta({ examples: [true] }),
      maxToolErrors: count()
        .optional()
        .describe('Most tool calls that may end in an error.')
        .meta({ examples: [0] }),
      skillsLoaded: assertionList(skillAssertion)
        .optional()
        .describe('Each item matches at least one skill that the agent loaded.')
        .meta({ examples: [[{ skill: 'greeting' }]] }),
      skillsNotLoaded: assertionList(skillAssertion)
        .optional()
        .describe('No item matches any skill that the agent loaded.')
        .meta({ examples: [[{ skillPattern: '^internal-' }]] }),
    })
    .meta({
      id: 'assertions',
      description: 'What the recorded calls of a task run must be like. All keys are optional.',
    }),
  { unknownKey: 'unknown-assertion', nullIsError: true },
);

export type Assertions = z.infer<typeof assertionsSchema>;
export type ToolAssertion = z.infer<typeof toolAssertion>;
export type CallOrderItem = z.infer<typeof callOrderItem>;
export type AssertionName = keyof Assertions;
