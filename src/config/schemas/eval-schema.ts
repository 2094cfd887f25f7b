import * as z from 'zod/mini';
import { builtinAgents, builtinsThatNeedModel, listEvalSpellings } from '../agent-kinds.js';
import { exampleModels, providerNames } from '../models.js';
import { describeModelNeed, describeOldNames } from './agent-schema.js';
import { assertionsSchema } from './assertions-schema.js';
import {
  addDescription,
  anyMap,
  apiVersion,
  commonMetadata,
  duration,
  environment,
  nonEmptyText,
  optional,
  packageReference,
  positiveCount,
  redactionPattern,
  runCount,
  textMap,
  useResponsesAPI,
} from './fields.js';
import { withRules } from './schema-rules.js';

const rateSchema = withRules(
  z.strictObject({
    provider: optional(
      z.enum(providerNames),
      'Only models of this provider. `openai-agent` is `openai` where it asks api.openai.com, else `openai-compatible`.',
      { examples: ['openai'] },
    ),
    model: optional(nonEmptyText(), 'Only this model, by its id without the provider.', {
      examples: [exampleModels.large],
    }),
    requestsPerMinute: optional(positiveCount(), 'Most requests within a minute.', {
      examples: [60],
    }),
    tokensPerMinute: optional(
      positiveCount(),
      'Most tokens within a minute, of requests and answers together.',
      { examples: [200_000] },
    ),
  }),
  {
    jsonSchema: {
      anyOf: [{ required: ['requestsPerMinute'] }, { required: ['tokensPerMinute'] }],
    },
  },
);

/** Limits that hold over a whole check, however many task runs there are at once. */
const checkLimitsSchema = z.strictObject({
  concurrentAgents: optional(
    positiveCount(),
    'How many agents work at once. None: one for each task run that is under way.',
    { examples: [2] },
  ),
  rates: optional(
    z.array(rateSchema).check(z.minLength(1)),
    'How often models may be asked, by `llm-agent` and `openai-agent`, as agent and as judge. Every model has the limits for itself. Of several rates that fit, each number is that of the most specific one.',
    { examples: [[{ provider: 'openai', model: exampleModels.large, requestsPerMinute: 60 }]] },
  ),
});

export type CheckLimitsData = z.infer<typeof checkLimitsSchema>;
export type RateData = z.infer<typeof rateSchema>;

export const limitsSchema = z.strictObject({
  timeout: optional(duration(), 'Time for setup, agent and verification together. None: no limit.'),
  cleanupTimeout: optional(duration(), 'Time for cleanup. None: no limit.'),
});

const needModel = builtinsThatNeedModel.flatMap(listEvalSpellings);

export const agentReferenceSchema = withRules(
  z.strictObject({
    type: addDescription(
      z.enum([...builtinAgents.flatMap(listEvalSpellings), 'file']),
      `Which agent: a built-in one, with or without \`builtin.\`, or \`file\` for an Agent file. ${describeOldNames('builtin.')}`,
      { examples: ['builtin.claude-code'] },
    ),
    path: optional(nonEmptyText(), 'Path to the Agent file. Required when `type` is `file`.', {
      examples: ['agent.yaml'],
    }),
    model: optional(nonEmptyText(), `Model name. ${describeModelNeed('builtin.')}`, {
      examples: [exampleModels.small, `anthropic:${exampleModels.anthropic}`],
    }),
    useResponsesAPI: useResponsesAPI(),
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

/** What a judge by variables needs, unless `typeKey` makes it another kind. */
export const judgeVariables = ['baseUrlKey', 'apiKeyKey', 'modelNameKey'] as const;

const judgeEnvironmentSchema = withRules(
  z.strictObject({
    typeKey: optional(
      nonEmptyText(),
      'Name of the variable that says which kind of judge it is: `openai`, also if the variable is not set, or `claude` for Claude Code, with its own login and model. With `claude` the other variables are not looked at.',
      { examples: ['JUDGE_TYPE'] },
    ),
    baseUrlKey: optional(
      nonEmptyText(),
      'Name of the variable that holds the base URL. Required without `typeKey`.',
      { examples: ['JUDGE_BASE_URL'] },
    ),
    apiKeyKey: optional(
      nonEmptyText(),
      'Name of the variable that holds the API key. Required without `typeKey`.',
      { examples: ['JUDGE_API_KEY'] },
    ),
    modelNameKey: optional(
      nonEmptyText(),
      'Name of the variable that holds the model name. Required without `typeKey`.',
      { examples: ['JUDGE_MODEL'] },
    ),
  }),
  { jsonSchema: { anyOf: [{ required: ['typeKey'] }, { required: [...judgeVariables] }] } },
);

const judgeSchema = withRules(
  z.strictObject({
    ref: optional(agentReferenceSchema, 'An agent that judges.', {
      examples: [{ type: 'builtin.llm-agent', model: `openai:${exampleModels.large}` }],
    }),
    env: optional(
      judgeEnvironmentSchema,
      'An OpenAI-compatible model or Claude Code that judges, given by environment variables.',
    ),
  }),
  { exactlyOne: ['ref', 'env'] },
);

const extensionSchema = z.strictObject({
  package: addDescription(
    packageReference(),
    'Path to a program, or `https://github.com/org/repo@version`.',
    { examples: ['./extensions/database'] },
  ),
  config: optional(anyMap(), 'Handed to the extension when it starts.', {
    examples: [{ database: 'test' }],
  }),
  env: environment('Environment variables for the extension.'),
});

const skillsSchema = z.strictObject({
  sources: addDescription(
    z
      .array(
        z.strictObject({
          type: addDescription(z.literal('path'), 'Kind of source.'),
          path: addDescription(nonEmptyText(), 'Folder that holds skills.', {
            examples: ['skills'],
          }),
        }),
      )
      .check(z.minLength(1)),
    'Where skills come from.',
  ),
});

const sourceSchema = z.strictObject({
  repo: addDescription(
    nonEmptyText(),
    'Git repository: `github.com/org/repo`, an address that git takes, or a path.',
    { examples: ['github.com/org/repo'] },
  ),
  ref: optional(
    nonEmptyText(),
    'Branch, tag or commit. What it is when it is first fetched is pinned in `proctor.lock.json`.',
    { default: 'HEAD', examples: ['v1.2.0'] },
  ),
  path: optional(
    nonEmptyText(),
    'Folder in the repository at which `path` and `glob` of task sets start; without it, its root.',
    { examples: ['evals'] },
  ),
  serverMapping: optional(
    textMap(),
    'Names of MCP servers in this eval, by the names that the fetched tasks use.',
    { examples: [{ kubernetes: 'k8s' }] },
  ),
  submodules: optional(z.boolean(), 'Whether to fetch submodules too.', { default: false }),
});

export const taskSetSchema = withRules(
  z.strictObject({
    source: optional(
      nonEmptyText(),
      'Name of one of `sources`: `path` or `glob` then start in its repository.',
      { examples: ['upstream'] },
    ),
    path: optional(nonEmptyText(), 'Path to a single Task file.', {
      examples: ['tasks/create-pod.yaml'],
    }),
    glob: optional(
      nonEmptyText(),
      'Glob for several Task files: `*`, `?`, `[...]`, `{a,b}` and `**` (any depth, also none).',
      { examples: ['tasks/**/*.yaml'] },
    ),
    labelSelector: optional(textMap(), 'Only tasks that have all of these labels.', {
      examples: [{ area: 'pods' }],
    }),
    runs: optional(
      runCount(),
      'How often each task of the set runs, unless the task says so itself.',
      { default: 1 },
    ),
    assertions: optional(
      assertionsSchema,
      'Checked for every task run of this set, in addition to the assertions of the task.',
    ),
  }),
  { exactlyOne: ['path', 'glob'] },
);

const excludedSchema = z.strictObject({
  agent: optional(nonEmptyText(), 'One of `agents`, as it is written there.', {
    examples: ['claude-code'],
  }),
  model: optional(nonEmptyText(), 'One of `models`.', { examples: [exampleModels.small] }),
  mcpConfigFile: optional(nonEmptyText(), 'One of `mcpConfigFiles`, as it is written there.', {
    examples: ['mcp-next.yaml'],
  }),
});

const listOfText = () => z.array(nonEmptyText()).check(z.minLength(1));

const matrixSchema = z.strictObject({
  agents: optional(
    listOfText(),
    'Agents, instead of `agent`: built-in ones such as `claude-code`, or paths to Agent files.',
    { examples: [['claude-code', 'agents/other.yaml']] },
  ),
  models: optional(
    listOfText(),
    'Models, for every agent that takes one. An agent that brings its own is there once.',
    { examples: [[`openai:${exampleModels.small}`, `anthropic:${exampleModels.anthropic}`]] },
  ),
  mcpConfigFiles: optional(
    listOfText(),
    'Paths to MCP config files, instead of `mcpConfigFile`, such as one for each build of a server.',
    { examples: [['mcp-current.yaml', 'mcp-next.yaml']] },
  ),
  exclude: optional(
    z.array(excludedSchema),
    'Combinations that are left out: all those that have everything an item names.',
    { examples: [[{ agent: 'claude-code', model: `openai:${exampleModels.small}` }]] },
  ),
});

const redactionSchema = withRules(
  z.strictObject({
    env: optional(
      nonEmptyText(),
      'Name of an environment variable whose value is redacted, whatever it is called.',
      { examples: ['CUSTOMER'] },
    ),
    pattern: optional(
      redactionPattern(),
      'What matches this RE2 pattern is redacted. It may not match nearly every text.',
      { examples: ['CUST-[0-9]{6}'] },
    ),
  }),
  { exactlyOne: ['env', 'pattern'] },
);

const configSchema = withRules(
  z.strictObject({
    agent: optional(
      agentReferenceSchema,
      'The agent that does the tasks. May be left out beside `matrix.agents`.',
    ),
    agentFile: optional(nonEmptyText(), 'Old spelling of `agent: {type: file, path}`.', {
      examples: ['agent.yaml'],
    }),
    mcpConfigFile: optional(
      nonEmptyText(),
      'Path to the MCP config file. May be left out only if `matrix.mcpConfigFiles`, MCP_* environment variables or skills are given.',
      { examples: ['mcp-config.yaml'] },
    ),
    matrix: optional(
      matrixSchema,
      'Agents, models and MCP configs to compare: each combination does every task run.',
    ),
    llmJudge: optional(judgeSchema, 'The judge for `llmJudge` steps.'),
    extensions: optional(
      z.record(z.string(), extensionSchema),
      'Extensions by the name that tasks require them by.',
    ),
    skills: optional(skillsSchema, 'Skills that the agent is given.'),
    prices: optional(
      nonEmptyText(),
      'Path to a prices file, for models without a price in Proctor and for other prices.',
      { examples: ['prices.yaml'] },
    ),
    defaultTaskLimits: optional(limitsSchema, 'Limits for tasks that set none themselves.'),
    redact: optional(
      z.array(redactionSchema),
      'What is redacted in addition to [what Proctor recognises](../secrets.md): in the journal, in results and reports, and on the terminal.',
      { examples: [[{ env: 'CUSTOMER' }, { pattern: 'CUST-[0-9]{6}' }]] },
    ),
    limits: optional(
      checkLimitsSchema,
      'Limits of the whole check: how many agents work at once, and how often models are asked.',
    ),
    sources: optional(
      z.record(z.string(), sourceSchema),
      'Git repositories with tasks, by the names that task sets refer to them by.',
    ),
    taskSets: addDescription(
      withRules(z.array(taskSetSchema).check(z.minLength(1)), { emptyList: 'no-task-sets' }),
      'The tasks, in the order they run, with their assertions.',
    ),
  }),
  { exactlyOne: ['agent', 'agentFile'], unless: ['matrix', 'agents'] },
);

export const evalSchema = addDescription(
  z.strictObject({
    kind: addDescription(z.literal('Eval'), 'Must be `Eval`.'),
    apiVersion: apiVersion(),
    metadata: addDescription(
      z.strictObject({
        name: addDescription(
          nonEmptyText(),
          'Name of the eval; as a slug it is part of the names of result files.',
          { examples: ['kubernetes-basic'] },
        ),
        ...commonMetadata,
      }),
      'What the eval is called.',
    ),
    config: addDescription(configSchema, 'What is evaluated.'),
  }),
  'Ties together an agent, MCP servers and tasks.',
);

export type EvalData = z.infer<typeof evalSchema>;
export type SourceData = z.infer<typeof sourceSchema>;
export type TaskSetData = z.infer<typeof taskSetSchema>;
export type MatrixData = z.infer<typeof matrixSchema>;
export type AgentReference = z.infer<typeof agentReferenceSchema>;
