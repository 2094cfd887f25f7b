import * as z from 'zod';
import { assertionsSchema } from './assertions-schema.js';
import {
  anyMap,
  apiVersion,
  commonMetadata,
  duration,
  environment,
  nonEmptyText,
  runCount,
  textMap,
} from './fields.js';
import { withRules } from './schema-rules.js';

export const limitsSchema = z.strictObject({
  timeout: duration()
    .optional()
    .describe('Time for setup, agent and verification together. None: no limit.'),
  cleanupTimeout: duration().optional().describe('Time for cleanup. None: no limit.'),
});

/** Agents that need no file of their own. */
export const builtinAgentTypes = [
  'builtin.claude-code',
  'builtin.openai-agent',
  'builtin.llm-agent',
  'builtin.openai-acp',
] as const;

const needModel = builtinAgentTypes.filter((type) => type !== 'builtin.claude-code');

export const agentReferenceSchema = withRules(
  z.strictObject({
    type: z
      .enum([...builtinAgentTypes, 'file'])
      .describe(
        'Which agent: a built-in one, or `file` for an Agent file. `builtin.openai-acp` is an old name of `builtin.openai-agent`.',
      )
      .meta({ examples: ['builtin.claude-code'] }),
    path: nonEmptyText()
      .optional()
      .describe('Path to the Agent file. Required when `type` is `file`.')
      .meta({ examples: ['agent.yaml'] }),
    model: nonEmptyText()
      .optional()
      .describe(
        'Model name. Required for `builtin.openai-agent`, and as `provider:id` for `builtin.llm-agent`.',
      )
      .meta({ examples: ['gpt-4', 'anthropic:claude-sonnet-4-5'] }),
  }),
  {
    jsonSchema: {
      allOf: [
        { anyOf: [{ properties: { type: { not: { const: 'file' } } } }, { required: ['path'] }] },
        {
          anyOf: [{ properties: { type: { not: { enum: needModel } } } }, { required: ['model'] }],
        },
      ],
    },
  },
);

const judgeEnvironmentSchema = z.strictObject({
  baseUrlKey: nonEmptyText()
    .describe('Name of the variable that holds the base URL.')
    .meta({ examples: ['JUDGE_BASE_URL'] }),
  apiKeyKey: nonEmptyText()
    .describe('Name of the variable that holds the API key.')
    .meta({ examples: ['JUDGE_API_KEY'] }),
  modelNameKey: nonEmptyText()
    .describe('Name of the variable that holds the model name.')
    .meta({ examples: ['JUDGE_MODEL'] }),
});

const judgeSchema = withRules(
  z.strictObject({
    ref: agentReferenceSchema
      .optional()
      .describe('An agent that judges.')
      .meta({ examples: [{ type: 'builtin.llm-agent', model: 'openai:gpt-4' }] }),
    env: judgeEnvironmentSchema
      .optional()
      .describe('An OpenAI-compatible model that judges, given by environment variables.'),
  }),
  { exactlyOne: ['ref', 'env'] },
);

const extensionSchema = z.strictObject({
  package: nonEmptyText()
    .describe('Path to a program, or `https://github.com/org/repo@version`.')
    .meta({ examples: ['./extensions/database'] }),
  config: anyMap()
    .optional()
    .describe('Handed to the extension when it starts.')
    .meta({ examples: [{ database: 'test' }] }),
  env: environment('Environment variables for the extension.'),
});

const skillsSchema = z.strictObject({
  sources: z
    .array(
      z.strictObject({
        type: z.literal('path').describe('Kind of source.'),
        path: nonEmptyText()
          .describe('Folder that holds skills.')
          .meta({ examples: ['skills'] }),
      }),
    )
    .min(1)
    .describe('Where skills come from.'),
});

export const taskSetSchema = withRules(
  z.strictObject({
    path: nonEmptyText()
      .optional()
      .describe('Path to a single Task file.')
      .meta({ examples: ['tasks/create-pod.yaml'] }),
    glob: nonEmptyText()
      .optional()
      .describe(
        'Glob for several Task files: `*`, `?`, `[...]`, `{a,b}` and `**` (any depth, also none).',
      )
      .meta({ examples: ['tasks/**/*.yaml'] }),
    labelSelector: textMap()
      .optional()
      .describe('Only tasks that have all of these labels.')
      .meta({ examples: [{ area: 'pods' }] }),
    runs: runCount()
      .optional()
      .describe('How often each task of the set runs, unless the task says so itself.')
      .meta({ default: 1 }),
    assertions: assertionsSchema
      .optional()
      .describe('Checked for every task run of this set, besides the assertions of the task.'),
  }),
  { exactlyOne: ['path', 'glob'] },
);

const configSchema = withRules(
  z.strictObject({
    agent: agentReferenceSchema.optional().describe('The agent that does the tasks.'),
    agentFile: nonEmptyText()
      .optional()
      .describe('Old spelling of `agent: {type: file, path}`.')
      .meta({ examples: ['agent.yaml'] }),
    mcpConfigFile: nonEmptyText()
      .optional()
      .describe(
        'Path to the MCP config file. May be left out only if MCP_* environment variables or skills are given.',
      )
      .meta({ examples: ['mcp-config.yaml'] }),
    llmJudge: judgeSchema.optional().describe('The judge for `llmJudge` steps.'),
    extensions: z
      .record(z.string(), extensionSchema)
      .optional()
      .describe('Extensions by the name that tasks require them by.'),
    skills: skillsSchema.optional().describe('Skills that the agent is given.'),
    defaultTaskLimits: limitsSchema
      .optional()
      .describe('Limits for tasks that set none themselves.'),
    taskSets: withRules(z.array(taskSetSchema).min(1), { emptyList: 'no-task-sets' }).describe(
      'The tasks, in the order they run, with their assertions.',
    ),
  }),
  { exactlyOne: ['agent', 'agentFile'] },
);

export const evalSchema = z
  .strictObject({
    kind: z.literal('Eval').describe('Must be `Eval`.'),
    apiVersion: apiVersion().optional(),
    metadata: z
      .strictObject({
        name: nonEmptyText()
          .describe('Name of the eval; as a slug it is part of the names of result files.')
          .meta({ examples: ['kubernetes-basic'] }),
        ...commonMetadata,
      })
      .describe('What the eval is called.'),
    config: configSchema.describe('What is evaluated.'),
  })
  .describe('Ties together an agent, MCP servers and tasks.');

export type EvalData = z.infer<typeof evalSchema>;
export type TaskSetData = z.infer<typeof taskSetSchema>;
export type AgentReference = z.infer<typeof agentReferenceSchema>;
