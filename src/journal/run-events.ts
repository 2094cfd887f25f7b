import * as z from 'zod/mini';
import { addDescription, count, optional, positiveCount, text } from '../base/schema-fields.js';
import { exampleModels } from '../config/models.js';
import { type EventDefinition, type EventFrom, field, rawJson } from './event-definition.js';

/** Name and version of the journal's format; its first line carries it. */
export const journalSchema = 'mcp-proctor/journal/v1';

/** Some thirty years: what is longer was never measured. */
const maxDurationMs = 1e12;

/** A duration in milliseconds. */
export const durationSchema = () => z.number().check(z.minimum(0), z.maximum(maxDurationMs));

/** The agent, as far as is known before it runs. */
export const agentSchema = () =>
  z.object({
    name: addDescription(text(), 'Its name.', { examples: ['claude-code'] }),
    type: addDescription(text(), 'Kind of agent.', { examples: ['llm-agent'] }),
    model: optional(text(), 'The model it uses.', { examples: [`openai:${exampleModels.small}`] }),
    version: optional(text(), 'Version of its program.', { examples: ['2.1.0'] }),
    settings: optional(
      text(),
      'Digest of its settings and of the skills it is given; neither address nor key are in it.',
      { examples: ['5ad7b0d8b0f5c3a1c3f9ce9ad0d0b1ef'] },
    ),
  });
export type AgentIdentity = z.infer<ReturnType<typeof agentSchema>>;

/** A combination of the matrix. */
export const variantSchema = () =>
  z.object({
    name: addDescription(text(), 'Its name, which no other variant has.', {
      examples: ['claude-code + mcp-next'],
    }),
    agent: addDescription(agentSchema(), 'The agent.'),
    mcpConfigFile: optional(text(), 'Where the matrix has several.', {
      examples: ['mcp-next.yaml'],
    }),
  });
export type VariantIdentity = z.infer<ReturnType<typeof variantSchema>>;

export const evalSchema = () =>
  z.object({
    name: addDescription(text(), '`metadata.name` of the eval.', { examples: ['kubernetes'] }),
    file: addDescription(text(), 'The Eval file.', { examples: ['eval.yaml'] }),
  });

export const environmentSchema = () =>
  z.object({
    node: addDescription(text(), 'Version of Node.', { examples: ['v22.20.0'] }),
    platform: addDescription(text(), 'Operating system.', { examples: ['linux'] }),
    arch: addDescription(text(), 'Processor.', { examples: ['x64'] }),
  });

/** Every file that decides what task runs do, relative to the eval's folder. */
const filesSchema = () =>
  z.array(
    z.object({
      path: addDescription(text(), "From the eval's folder."),
      sha256: addDescription(text(), 'Digest of its bytes.'),
      withoutLimits: optional(
        text(),
        'Of the eval: digest of its content but for `limits`, which do not decide what runs.',
      ),
      isProgram: optional(
        z.literal(true),
        "It is a server's program, named by the MCP config. Older journals have none of these.",
      ),
    }),
  );
export type SuiteFile = z.infer<ReturnType<typeof filesSchema>>[number];

/** The options that decide what runs, by their names on the command line. */
const optionsSchema = () =>
  z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.readonly(z.array(z.string()))]),
  );

/** A process: a later one with the same pid started at another time. */
const processSchema = () =>
  z.object({
    pid: addDescription(z.number(), 'Its id.'),
    startTime: addDescription(text(), 'When it started, as the operating system reports it.'),
  });

/** What is run, and how: all that `--resume` has to compare with. */
const runRecordSchema = () =>
  z.object({
    id: addDescription(
      text(),
      'Unique id of this run; every process that it starts is marked with it.',
    ),
    eval: evalSchema(),
    files: addDescription(filesSchema(), 'Every file of the suite.'),
    agent: optional(agentSchema(), 'The agent. None: the variants have different ones.'),
    variants: optional(z.array(variantSchema()), 'The variants of a matrix.'),
    judge: optional(agentSchema(), 'The LLM judge. None: no step needs one.'),
    options: addDescription(
      optionsSchema(),
      'The options that decide what runs, by their names on the command line.',
    ),
    environment: environmentSchema(),
    taskRuns: addDescription(
      count(),
      'How many task runs were planned; with `--runs auto`, at least.',
    ),
    process: addDescription(processSchema(), 'The process of the check.'),
    workspace: optional(
      text(),
      'Folder of everything that is gone when the run is over; with a queue, workers have theirs.',
    ),
    queue: optional(text(), 'With `--queue`: id of the run in the queue.'),
  });
/** How a run was set up. Journals have it as the member `evaluation` of `run-started`. */
export type RunRecord = z.infer<ReturnType<typeof runRecordSchema>>;

export const runStarted = {
  type: 'run-started',
  description: 'The first event.',
  shape: () => ({
    schema: field(z.literal(journalSchema), `\`${journalSchema}\`.`, 'leave-out-member'),
    proctor: field(text(), 'Version of Proctor.'),
    command: field(z.enum(['proxy', 'check']), 'What wrote the journal.'),
    mcpServers: field(
      z.array(
        z.object({
          name: addDescription(text(), 'Its name in the MCP config.'),
          transport: addDescription(
            z.enum(['http', 'stdio', 'sse']),
            'How it is reached: `http`, `stdio` or `sse`.',
          ),
          mcpConfigFile: optional(text(), 'Where a matrix has several MCP configs: whose it is.'),
          config: optional(
            z.record(z.string(), z.unknown()),
            'With `proxy`: its entry in the MCP config, with variables as references, its folder as a whole path, and without secrets.',
          ),
        }),
      ),
      'Every server.',
      'lose-event',
    ),
    evaluation: field(z.optional(runRecordSchema()), 'With `check`: what is run, and how.', {
      as: z.optional(z.partial(runRecordSchema())),
    }),
  }),
} as const satisfies EventDefinition;
export type RunStarted = EventFrom<typeof runStarted>;

export const runResumed = {
  type: 'run-resumed',
  description: 'A killed or interrupted check continues in the same journal.',
  shape: () => ({
    proctor: field(text(), 'Version of Proctor.'),
    process: field(
      processSchema(),
      'Pid and start time of the process that continues it.',
      'leave-out-member',
    ),
    workspace: field(z.optional(text()), 'Its folder for temporary files.', 'leave-out-member'),
    queue: field(
      z.optional(text()),
      'With `--queue`: id of the run in the queue from now on.',
      'leave-out-member',
    ),
    missing: field(count(), 'Task runs that are still to do.', 'leave-out-member'),
    changed: field(
      z.optional(z.array(text())),
      'Files of the suite that changed since, with `--force`.',
    ),
    files: field(
      z.optional(filesSchema()),
      'With `--force`: the current files.',
      'leave-out-member',
    ),
    options: field(
      z.optional(optionsSchema()),
      'With `--force`: the current options.',
      'leave-out-member',
    ),
    agent: field(
      z.optional(agentSchema()),
      'With `--force`: the current agent.',
      'leave-out-member',
    ),
    variants: field(
      z.optional(z.array(variantSchema())),
      'With `--force`: the current variants of the matrix.',
      'leave-out-member',
    ),
    judge: field(
      z.optional(agentSchema()),
      'With `--force`: the current judge.',
      'leave-out-member',
    ),
  }),
} as const satisfies EventDefinition;
export type RunResumed = EventFrom<typeof runResumed>;

export const serverChecked = {
  type: 'server-checked',
  description:
    'What a server offers, asked once before anything runs, or after the setup of a task run.',
  shape: () => ({
    taskRun: field(
      z.optional(text()),
      'Name of the attempt at a task run, if the server is only there since its setup.',
    ),
    server: field(text(), 'Name of the server in the MCP config.', 'lose-event'),
    mcpConfigFile: field(
      z.optional(text()),
      'Where a matrix has several MCP configs: whose it is.',
      'lose-event',
    ),
    protocolVersion: field(text(), 'Revision of MCP that was agreed on.'),
    serverInfo: field(
      z.optional(z.object({ name: text(), version: text() })),
      'Name and version of the server, by its own account.',
    ),
    tools: field(rawJson(), 'As the server lists them, nothing left out.'),
    resources: field(rawJson(), 'As the server lists them.'),
    resourceTemplates: field(rawJson(), 'As the server lists them.'),
    prompts: field(rawJson(), 'As the server lists them.'),
    allowedTools: field(
      z.array(text()),
      'Names of the tools that the MCP config lets the agent call.',
    ),
    durationMs: field(z.number(), 'How long it took to learn all of this.'),
  }),
} as const satisfies EventDefinition;
export type ServerChecked = EventFrom<typeof serverChecked>;

export const runsDecided = {
  type: 'runs-decided',
  description:
    'With `--runs auto`: what the runs of a task so far decide about others. Written when it needs more than was known, and when it is settled.',
  shape: () => ({
    task: field(text(), 'Name of the task.', 'lose-event'),
    variant: field(
      z.optional(text()),
      'The variant of a matrix whose runs they are.',
      'lose-event',
    ),
    runs: field(
      positiveCount(),
      'How many runs it has in all; the minimum as long as it is not settled.',
      'lose-event',
    ),
    more: field(count(), 'How many of them were not planned before.', 'lose-event'),
    passed: field(count(), 'How many passed.'),
    judged: field(count(), 'How many passed, failed or ran into their time limit.'),
    interval: field(
      z.nullable(z.object({ low: z.number(), high: z.number() })),
      '95% interval of its pass rate: `low` and `high`; null: nothing was judged.',
    ),
    settled: field(
      z.optional(z.enum(['width', 'max'])),
      'It needs no more: `width`, its interval is narrow enough, or `max`, it has had the maximum number of runs.',
    ),
  }),
} as const satisfies EventDefinition;
export type RunsDecided = EventFrom<typeof runsDecided>;

export const budgetKinds = ['cost', 'tokens', 'duration'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** How far a budget of a whole check is spent. */
export const budgetSchema = () =>
  z.object({
    kind: addDescription(z.enum(budgetKinds), 'What was limited.', { examples: ['cost'] }),
    limit: addDescription(
      z.number().check(z.minimum(0)),
      'How much was given, in US dollars, tokens or milliseconds.',
      {
        examples: [5],
      },
    ),
    spent: addDescription(
      z.number().check(z.minimum(0)),
      'The final amount, which can exceed the limit: task runs under way finish.',
      { examples: [5.12] },
    ),
  });
export type SpentBudget = z.infer<ReturnType<typeof budgetSchema>>;

export const runEnded = {
  type: 'run-ended',
  description: 'The last event. If it is missing, the process was killed.',
  shape: () => ({
    durationMs: field(durationSchema(), 'Of the whole run.', 'leave-out-member'),
    calls: field(count(), 'How many `mcp-call` events there are.'),
    interrupted: field(
      z.optional(z.literal(true)),
      'It was stopped before every task run was done; `--resume` continues.',
      'leave-out-member',
    ),
    bailed: field(
      z.optional(z.literal(true)),
      '`--bail` left some task runs out.',
      'leave-out-member',
    ),
    budget: field(
      z.optional(budgetSchema()),
      'A budget left some task runs out; `--resume` continues.',
      'leave-out-member',
    ),
  }),
} as const satisfies EventDefinition;
export type RunEnded = EventFrom<typeof runEnded>;
