import * as z from 'zod';
import { assertionsSchema } from './assertions-schema.js';
import { limitsSchema } from './eval-schema.js';
import { apiVersion, commonMetadata, nonEmptyText, runCount, text } from './fields.js';
import { withRules } from './schema-rules.js';
import { stepSchema } from './step-schemas.js';

const metadataSchema = z.strictObject({
  name: nonEmptyText()
    .describe('Name of the task, unique in an eval.')
    .meta({ examples: ['create-pod'] }),
  difficulty: z.enum(['easy', 'medium', 'hard']).optional().describe('How hard the task is.'),
  parallel: z
    .boolean()
    .optional()
    .describe('May run together with other parallel tasks.')
    .meta({ default: false }),
  runs: runCount().optional().describe('How often the task runs.').meta({ default: 1 }),
  ...commonMetadata,
});

const inlineOrFile = { exactlyOne: ['inline', 'file'] } as const;

const promptSchema = withRules(
  z.strictObject({
    inline: text()
      .optional()
      .describe('The text itself.')
      .meta({ examples: ['Please create a pod named web.'] }),
    file: nonEmptyText()
      .optional()
      .describe('Path to a file with the text.')
      .meta({ examples: ['create-pod.prompt.md'] }),
  }),
  inlineOrFile,
);

const plainScriptSchema = withRules(
  z.strictObject({
    inline: text()
      .optional()
      .describe('The script itself.')
      .meta({ examples: ['kubectl create namespace test'] }),
    file: nonEmptyText()
      .optional()
      .describe('Path to the script.')
      .meta({ examples: ['setup.sh'] }),
  }),
  inlineOrFile,
);

const plainVerifySchema = withRules(
  z.strictObject({
    inline: text()
      .optional()
      .describe('The script itself; exit 0 passes.')
      .meta({ examples: ['kubectl get pod web'] }),
    file: nonEmptyText()
      .optional()
      .describe('Path to the script; exit 0 passes.')
      .meta({ examples: ['verify.sh'] }),
    contains: nonEmptyText()
      .optional()
      .describe('LLM judge: the answer conveys this meaning, extra is fine.')
      .meta({ examples: ['The pod web runs in the namespace test'] }),
    exact: nonEmptyText()
      .optional()
      .describe('LLM judge: the answer is equivalent to this, nothing added or missing.')
      .meta({ examples: ['42'] }),
  }),
  { exactlyOne: ['inline', 'file', 'contains', 'exact'] },
);

const common = {
  kind: z.literal('Task').describe('Must be `Task`.'),
  apiVersion: apiVersion().optional(),
  metadata: metadataSchema.describe('What the task is called and how it is treated.'),
};

const taskAssertions = () =>
  assertionsSchema.optional().describe('Checked besides the assertions of the task sets.');

/** `requires` gives a name to use as prefix of steps. */
const requirementSchema = withRules(
  z.strictObject({
    extension: nonEmptyText()
      .optional()
      .describe('Extension, as in the eval.')
      .meta({ examples: ['database'] }),
    mcpServer: nonEmptyText()
      .optional()
      .describe('MCP server, as in the MCP config.')
      .meta({ examples: ['kubernetes'] }),
    as: nonEmptyText()
      .optional()
      .describe('Name to use in steps. None: its own name.')
      .meta({ examples: ['k8s'] }),
  }),
  { exactlyOne: ['extension', 'mcpServer'] },
);

export const scriptTaskSchema = z
  .strictObject({
    ...common,
    steps: z
      .strictObject({
        setup: plainScriptSchema.optional().describe('Script that runs before the agent.'),
        cleanup: plainScriptSchema.optional().describe('Script that runs at the end, always.'),
        verify: plainVerifySchema.optional().describe('How the outcome is verified.'),
        prompt: promptSchema.describe('What the agent is asked to do.'),
        assertions: taskAssertions(),
      })
      .describe('The task, as scripts.'),
    assertions: taskAssertions(),
  })
  .describe('A task in the older shape (v1alpha1): one script per phase.');

export const stepTaskSchema = z
  .strictObject({
    ...common,
    spec: z
      .strictObject({
        requires: z
          .array(requirementSchema)
          .optional()
          .describe('Extensions and MCP servers that steps use.'),
        limits: limitsSchema.optional().describe('Limits of this task.'),
        setup: z
          .array(stepSchema)
          .optional()
          .describe('Steps before the agent; the first that fails ends the task run.'),
        verify: z
          .array(stepSchema)
          .optional()
          .describe('Steps after the agent; all run and all must pass.'),
        cleanup: z.array(stepSchema).optional().describe('Steps at the end; all run, always.'),
        prompt: promptSchema.describe('What the agent is asked to do.'),
        assertions: taskAssertions(),
      })
      .describe('The task, as steps.'),
    assertions: taskAssertions(),
  })
  .describe('A task (v1alpha2 and proctor/v1): lists of steps.');

export type ScriptTaskData = z.infer<typeof scriptTaskSchema>;
export type StepTaskData = z.infer<typeof stepTaskSchema>;
