import * as z from 'zod/mini';
import { assertionsSchema } from './assertions-schema.js';
import { limitsSchema } from './eval-schema.js';
import {
  addDescription,
  apiVersion,
  commonMetadata,
  nonEmptyText,
  optional,
  runCount,
  text,
} from './fields.js';
import { withRules } from './schema-rules.js';
import { stepSchema } from './step-schemas.js';

const metadataSchema = z.strictObject({
  name: addDescription(nonEmptyText(), 'Name of the task, unique in an eval.', {
    examples: ['create-pod'],
  }),
  difficulty: optional(z.enum(['easy', 'medium', 'hard']), 'How hard the task is.'),
  parallel: optional(z.boolean(), 'May run together with other parallel tasks.', {
    default: false,
  }),
  runs: optional(runCount(), 'How often the task runs.', { default: 1 }),
  ...commonMetadata,
});

const inlineOrFile = { exactlyOne: ['inline', 'file'] } as const;

const promptSchema = withRules(
  z.strictObject({
    inline: optional(text(), 'The text itself.', { examples: ['Please create a pod named web.'] }),
    file: optional(nonEmptyText(), 'Path to a file with the text.', {
      examples: ['create-pod.prompt.md'],
    }),
  }),
  inlineOrFile,
);

const plainScriptSchema = withRules(
  z.strictObject({
    inline: optional(text(), 'The script itself.', { examples: ['kubectl create namespace test'] }),
    file: optional(nonEmptyText(), 'Path to the script.', { examples: ['setup.sh'] }),
  }),
  inlineOrFile,
);

const plainVerifySchema = withRules(
  z.strictObject({
    inline: optional(text(), 'The script itself; exit 0 passes.', {
      examples: ['kubectl get pod web'],
    }),
    file: optional(nonEmptyText(), 'Path to the script; exit 0 passes.', {
      examples: ['verify.sh'],
    }),
    contains: optional(
      nonEmptyText(),
      'LLM judge: the answer conveys this meaning, extra is fine.',
      { examples: ['The pod web runs in the namespace test'] },
    ),
    exact: optional(
      nonEmptyText(),
      'LLM judge: the answer is equivalent to this, nothing added or missing.',
      { examples: ['42'] },
    ),
  }),
  { exactlyOne: ['inline', 'file', 'contains', 'exact'] },
);

const common = {
  kind: addDescription(z.literal('Task'), 'Must be `Task`.'),
  apiVersion: apiVersion(),
  metadata: addDescription(metadataSchema, 'What the task is called and how it is treated.'),
};

const taskAssertions = () =>
  optional(assertionsSchema, 'Checked in addition to the assertions of the task sets.');

/** `requires` gives a name to use as prefix of steps, or says who may do the task. */
const requirementSchema = withRules(
  z.strictObject({
    extension: optional(nonEmptyText(), 'Extension, as in the eval.', { examples: ['database'] }),
    mcpServer: optional(nonEmptyText(), 'MCP server, as in the MCP config.', {
      examples: ['kubernetes'],
    }),
    labels: optional(
      z.record(nonEmptyText(), nonEmptyText()),
      'Labels that a worker must have to be given the task, with `check --queue`.',
      { examples: [{ cluster: 'gpu' }] },
    ),
    as: optional(nonEmptyText(), 'Name to use in steps. None: its own name.', {
      examples: ['k8s'],
    }),
  }),
  { exactlyOne: ['extension', 'mcpServer', 'labels'] },
);

export const scriptTaskSchema = addDescription(
  z.strictObject({
    ...common,
    steps: addDescription(
      z.strictObject({
        setup: optional(plainScriptSchema, 'Script that runs before the agent.'),
        cleanup: optional(plainScriptSchema, 'Script that runs at the end, always.'),
        verify: optional(plainVerifySchema, 'How the outcome is verified.'),
        prompt: addDescription(promptSchema, 'What the agent is asked to do.'),
        assertions: taskAssertions(),
      }),
      'The task, as scripts.',
    ),
    assertions: taskAssertions(),
  }),
  'A task in the older shape (v1alpha1): one script per phase.',
);

export const stepTaskSchema = addDescription(
  z.strictObject({
    ...common,
    spec: addDescription(
      z.strictObject({
        requires: optional(
          z.array(requirementSchema),
          'Extensions and MCP servers that steps use, and labels of workers.',
        ),
        limits: optional(limitsSchema, 'Limits of this task.'),
        setup: optional(
          z.array(stepSchema),
          'Steps before the agent; the first that fails ends the task run.',
        ),
        verify: optional(z.array(stepSchema), 'Steps after the agent; all run and all must pass.'),
        cleanup: optional(z.array(stepSchema), 'Steps at the end; all run, always.'),
        prompt: addDescription(promptSchema, 'What the agent is asked to do.'),
        assertions: taskAssertions(),
      }),
      'The task, as steps.',
    ),
    assertions: taskAssertions(),
  }),
  'A task (v1alpha2 and proctor/v1): lists of steps.',
);

export type ScriptTaskData = z.infer<typeof scriptTaskSchema>;
export type StepTaskData = z.infer<typeof stepTaskSchema>;
