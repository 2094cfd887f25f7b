import * as z from 'zod/mini';
import {
  anyMap,
  anything,
  count,
  described,
  optional,
  positiveCount,
  text,
} from '../config/schemas/fields.js';
import { taskRunSchema, warningSchema } from './task-run-schema.js';
import { callCountsSchema, judgeUsageSchema, usageSchema } from './usage-schema.js';

/** Name and version of the results' format. */
export const resultsSchemaName = 'mcp-proctor/results/v1';

const tally = () =>
  z.object({
    taskRuns: described(count(), 'How many there are.', { examples: [3] }),
    passed: described(count(), 'How many of them passed.', { examples: [2] }),
  });

const totalsSchema = z.object({
  planned: described(count(), 'Task runs that were to happen.', { examples: [12] }),
  notRun: described(count(), 'Those that have no verdict, as it did not come to them.', {
    examples: [0],
  }),
  tasks: described(count(), 'Different tasks among those that ran.', { examples: [4] }),
  outcomes: described(
    z.object({
      passed: described(count(), 'Verified, and every assertion held.', { examples: [9] }),
      failed: described(count(), 'Verification or an assertion did not hold.', { examples: [2] }),
      timeout: described(count(), 'The time limit was reached.', { examples: [0] }),
      error: described(count(), 'It could not be judged.', { examples: [1] }),
      cancelled: described(count(), 'The run was interrupted.', { examples: [0] }),
    }),
    'How many task runs had which outcome.',
  ),
  byDifficulty: described(z.record(z.string(), tally()), 'Task runs by `difficulty`.'),
  byLabel: described(
    z.record(z.string(), z.record(z.string(), tally())),
    'Task runs by label: its key, then its value.',
    { examples: [{ area: { pods: { taskRuns: 3, passed: 2 } } }] },
  ),
  calls: described(callCountsSchema(), 'Calls of the agent, over all task runs.'),
  usage: described(z.nullable(usageSchema()), 'Tokens of the model, where agents report them.'),
  cost: described(z.nullable(z.number()), 'In US dollars, where agents report it.', {
    examples: [0.42],
  }),
  judge: described(judgeUsageSchema(), 'What the LLM judge took, over all task runs.'),
});

const serverSchema = z.object({
  name: described(text(), 'Its name in the MCP config.', { examples: ['kubernetes'] }),
  transport: described(z.enum(['http', 'stdio', 'sse']), 'How it is reached.'),
  protocolVersion: optional(text(), 'Revision of MCP that was agreed on.', {
    examples: ['2025-11-25'],
  }),
  serverInfo: optional(
    z.object({
      name: described(text(), 'By its own account.', { examples: ['kubernetes-mcp-server'] }),
      version: described(text(), 'By its own account.', { examples: ['1.4.0'] }),
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

const agentSchema = () =>
  z.object({
    name: described(text(), 'Its name.', { examples: ['claude-code'] }),
    type: described(text(), 'Kind of agent.', { examples: ['llm-agent'] }),
    model: optional(text(), 'The model it uses.', { examples: ['openai:gpt-5-nano'] }),
    version: optional(text(), 'Version of its program.', { examples: ['2.1.0'] }),
  });

export const resultsSchema = described(
  z.object({
    schema: described(z.literal(resultsSchemaName), 'Name and version of this format.'),
    proctor: described(text(), 'Version of Proctor.', { examples: ['0.1.0'] }),
    id: described(text(), 'Of this evaluation alone.', { examples: ['5f0c2a9e'] }),
    eval: described(
      z.object({
        name: described(text(), '`metadata.name` of the eval.', { examples: ['kubernetes'] }),
        file: described(text(), 'The Eval file.', { examples: ['eval.yaml'] }),
      }),
      'What was evaluated. Paths in these results start at the folder of the Eval file.',
    ),
    journal: described(text(), 'The journal that `evidence` and `seq` point into, from here.', {
      examples: ['proctor-kubernetes-out.jsonl'],
    }),
    startedAt: described(text(), 'Wall time, ISO 8601.', {
      examples: ['2026-01-31T12:00:00.000Z'],
    }),
    durationMs: described(z.number(), 'Of the whole run, without the time it lay still.', {
      examples: [61_500],
    }),
    agent: described(agentSchema(), 'The agent.'),
    judge: described(z.nullable(agentSchema()), 'The LLM judge, if there is one.'),
    mcpServers: described(z.array(serverSchema), 'The MCP servers.'),
    options: described(anyMap(), 'Options of the command line that decide what runs.', {
      examples: [{ runs: 3 }],
    }),
    environment: described(
      z.object({
        node: described(text(), 'Version of Node.', { examples: ['v22.20.0'] }),
        platform: described(text(), 'Operating system.', { examples: ['linux'] }),
        arch: described(text(), 'Processor.', { examples: ['x64'] }),
      }),
      'Where it ran.',
    ),
    finished: described(z.boolean(), 'The run came to its end, whatever came out of it.'),
    interrupted: described(z.boolean(), 'It was stopped; `--resume` goes on.'),
    bailed: described(z.boolean(), '`--bail` left some task runs out.'),
    resumed: described(count(), 'How often it was resumed.', { examples: [0] }),
    totals: described(totalsSchema, 'Sums over the task runs.'),
    warnings: described(z.array(warningSchema), 'What belongs to no single task run.'),
    moreWarnings: optional(positiveCount(), 'Warnings beyond these; the journal has them.', {
      examples: [12],
    }),
    taskRuns: described(z.array(taskRunSchema), 'Every task run with a verdict, as they ended.'),
  }),
  'The results of an evaluation.',
);

/** Sums over the task runs of an evaluation. */
export type ResultTotals = z.infer<typeof totalsSchema>;
