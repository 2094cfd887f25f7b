import * as z from 'zod/mini';
import {
  addDescription,
  anyMap,
  anything,
  count,
  optional,
  positiveCount,
  text,
} from '../../base/schema-fields.js';
import {
  agentSchema,
  budgetSchema,
  durationSchema,
  environmentSchema,
  evalSchema,
  variantSchema,
} from '../../journal/run-events.js';
import { costSchema, costSourceSchema, usageSchema } from '../../journal/usage.js';
import { taskRunSchema, warningSchema } from './task-run-schema.js';
import { callCountsSchema, judgeUsageSchema } from './usage-schema.js';

/** Name and version of the results' format. */
export const resultsSchemaName = 'mcp-proctor/results/v1';

const tally = () =>
  z.object({
    taskRuns: addDescription(count(), 'How many there are.', { examples: [3] }),
    passed: addDescription(count(), 'How many of them passed.', { examples: [2] }),
  });

const totalsSchema = z.object({
  planned: addDescription(
    count(),
    'Task runs that were to happen. With `--runs auto`, those that turned out to be needed.',
    { examples: [12] },
  ),
  notRun: addDescription(count(), 'Those without a verdict, because they were not reached.', {
    examples: [0],
  }),
  tasks: addDescription(count(), 'Different tasks among those that ran.', { examples: [4] }),
  outcomes: addDescription(
    z.object({
      passed: addDescription(count(), 'Verified, and every assertion held.', { examples: [9] }),
      failed: addDescription(count(), 'Verification or an assertion did not hold.', {
        examples: [2],
      }),
      timeout: addDescription(count(), 'The time limit was reached.', { examples: [0] }),
      error: addDescription(count(), 'It could not be judged.', { examples: [1] }),
      cancelled: addDescription(count(), 'The run was interrupted.', { examples: [0] }),
    }),
    'How many task runs had which outcome.',
  ),
  byDifficulty: addDescription(z.record(z.string(), tally()), 'Task runs by `difficulty`.'),
  byLabel: addDescription(
    z.record(z.string(), z.record(z.string(), tally())),
    'Task runs by label: its key, then its value.',
    { examples: [{ area: { pods: { taskRuns: 3, passed: 2 } } }] },
  ),
  calls: addDescription(callCountsSchema(), 'Calls of the agent, over all task runs.'),
  usage: addDescription(
    z.nullable(usageSchema()),
    'Tokens of the model, where agents report them.',
  ),
  cost: addDescription(
    z.nullable(costSchema()),
    'In US dollars, for the task runs with a known cost.',
    {
      examples: [0.42],
    },
  ),
  costSource: costSourceSchema(),
  judge: addDescription(judgeUsageSchema(), 'What the LLM judge took, over all task runs.'),
});

const serverSchema = z.object({
  name: addDescription(text(), 'Its name in the MCP config.', { examples: ['kubernetes'] }),
  mcpConfigFile: optional(text(), 'Where a matrix has several MCP configs: whose it is.', {
    examples: ['mcp-next.yaml'],
  }),
  transport: addDescription(z.enum(['http', 'stdio', 'sse']), 'How it is reached.'),
  protocolVersion: optional(text(), 'Revision of MCP that was agreed on.', {
    examples: ['2025-11-25'],
  }),
  serverInfo: optional(
    z.object({
      name: addDescription(text(), 'By its own account.', { examples: ['kubernetes-mcp-server'] }),
      version: addDescription(text(), 'By its own account.', { examples: ['1.4.0'] }),
    }),
    'What the server says it is.',
  ),
  tools: optional(z.array(anything()), 'As the server lists them.', {
    examples: [[{ name: 'pods_list', inputSchema: { type: 'object' } }]],
  }),
  resources: optional(z.array(anything()), 'As the server lists them.', { examples: [[]] }),
  resourceTemplates: optional(z.array(anything()), 'As the server lists them.', {
    examples: [[]],
  }),
  prompts: optional(z.array(anything()), 'As the server lists them.', { examples: [[]] }),
  allowedTools: optional(z.array(text()), 'Tools that the MCP config lets the agent call.', {
    examples: [['pods_list']],
  }),
});

const recheckSchema = () =>
  z.object({
    at: addDescription(text(), 'Wall time, ISO 8601.', { examples: ['2026-01-31T12:00:00.000Z'] }),
    proctor: addDescription(text(), 'Version of Proctor.', { examples: ['0.1.0'] }),
    eval: addDescription(evalSchema(), 'Where the assertions are from.'),
    rejudged: addDescription(z.boolean(), 'Whether the LLM judge was asked again.'),
  });

const leftOutSchema = () =>
  z.object({
    count: addDescription(positiveCount(), 'How many parts.', { examples: [1] }),
    parts: addDescription(
      z.array(
        z.object({
          place: addDescription(text(), 'Where it stands.', { examples: ['line 17'] }),
          expected: addDescription(text(), 'What should have been there.', {
            examples: ['an event'],
          }),
          found: addDescription(text(), 'What was there.', { examples: ['an empty line'] }),
        }),
      ),
      'The first of them.',
    ),
  });

/** Members that describe a run: of results, and of each source in merged results. */
const runShape = () => ({
  proctor: addDescription(z.nullable(text()), 'Version of Proctor. Null: it was mcpchecker.', {
    examples: ['0.1.0'],
  }),
  id: addDescription(text(), 'Of this evaluation alone.', { examples: ['5f0c2a9e'] }),
  eval: addDescription(
    z.nullable(evalSchema()),
    'What was evaluated; paths in these results start at the folder of the Eval file. Null: other results do not say.',
  ),
  journal: addDescription(
    z.nullable(text()),
    'The journal that `evidence` and `seq` point into, from here. Null: there is none, or several.',
    { examples: ['proctor-kubernetes-out.jsonl'] },
  ),
  rechecked: optional(
    recheckSchema(),
    'Of `recheck --out`: verdicts and assertions are not those of the run, but of this eval.',
  ),
  startedAt: addDescription(
    z.nullable(text()),
    'Wall time, ISO 8601. Null: other results do not say.',
    { examples: ['2026-01-31T12:00:00.000Z'] },
  ),
  durationMs: addDescription(
    z.nullable(durationSchema()),
    'Duration of the run, without pauses before `--resume`. Null: other results do not say.',
    { examples: [61_500] },
  ),
  agent: addDescription(
    z.nullable(agentSchema()),
    'The agent. Null: the variants have different ones, or other results do not say.',
  ),
  variants: optional(z.array(variantSchema()), 'Of a matrix: its combinations.'),
  judge: addDescription(z.nullable(agentSchema()), 'The LLM judge, if there is one.'),
  options: addDescription(anyMap(), 'Options of the command line that decide what runs.', {
    examples: [{ runs: 3 }],
  }),
  environment: addDescription(
    z.nullable(environmentSchema()),
    'Where it ran. Null: other results do not say.',
  ),
  finished: addDescription(z.boolean(), 'The run ended, whatever the outcome.'),
  interrupted: addDescription(z.boolean(), 'It was stopped; `--resume` continues.'),
  bailed: addDescription(z.boolean(), '`--bail` left some task runs out.'),
  budget: optional(
    z.nullable(budgetSchema()),
    'The budget (`--max-cost`, `--max-tokens`, `--max-duration`) that left some task runs out. Null: none did.',
  ),
  resumed: addDescription(count(), 'How often it was resumed.', { examples: [0] }),
  warnings: addDescription(z.array(warningSchema), 'What belongs to no single task run.'),
  moreWarnings: optional(positiveCount(), 'Warnings beyond these; the journal has them.', {
    examples: [12],
  }),
  leftOut: optional(
    leftOutSchema(),
    'What was left out of these results, as the journal they were made from is damaged.',
  ),
});

const sourceSchema = z.object({
  ...runShape(),
  planned: addDescription(count(), 'Task runs that were to happen.', { examples: [12] }),
});

const { warnings, moreWarnings, leftOut, ...runMembers } = runShape();

export const resultsSchema = addDescription(
  z.object({
    schema: addDescription(z.literal(resultsSchemaName), 'Name and version of this format.'),
    ...runMembers,
    mcpServers: addDescription(z.array(serverSchema), 'The MCP servers.'),
    sources: optional(
      z.array(sourceSchema),
      'Of merged results: the evaluations in them. What stands beside it sums them up.',
    ),
    totals: addDescription(totalsSchema, 'Sums over the task runs.'),
    warnings,
    moreWarnings,
    leftOut,
    taskRuns: addDescription(
      z.array(taskRunSchema),
      'Every task run with a verdict, as they ended.',
    ),
  }),
  'The results of an evaluation.',
);

/** A run that went into merged results. */
export type ResultsSource = z.infer<typeof sourceSchema>;
/** When and with which eval results were rechecked. */
export type RecheckRecord = z.infer<ReturnType<typeof recheckSchema>>;
/** Sums over the task runs of a run. */
export type ResultTotals = z.infer<typeof totalsSchema>;
