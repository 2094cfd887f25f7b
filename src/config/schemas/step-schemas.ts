import * as z from 'zod';
import {
  anyMap,
  anything,
  duration,
  fieldPath,
  nonEmptyText,
  pattern,
  positiveCount,
  text,
  textMap,
} from './fields.js';
import { withRules } from './schema-rules.js';

const scriptStepSchema = withRules(
  z.strictObject({
    file: nonEmptyText()
      .optional()
      .describe('Path to the script.')
      .meta({ examples: ['verify.sh'] }),
    inline: text()
      .optional()
      .describe('The script itself. It is never templated: use `env`.')
      .meta({ examples: ['kubectl get pod web'] }),
    env: textMap()
      .optional()
      .describe('Environment variables for the script.')
      .meta({ examples: [{ POD: '{steps.create.stdout}' }] }),
    timeout: duration().optional().describe('Time limit of the step.').meta({ default: '5m' }),
    continueOnError: z
      .boolean()
      .optional()
      .describe('Goes on with the next step after a failure.')
      .meta({ default: false }),
  }),
  { exactlyOne: ['file', 'inline'] },
);

const expectedFieldSchema = z.strictObject({
  path: fieldPath()
    .describe('Path into the JSON. Alone it means that the field exists.')
    .meta({ examples: ['data.items[0].id'] }),
  equals: anything()
    .optional()
    .describe('The value it must equal.')
    .meta({ examples: ['web'] }),
  type: z
    .enum(['string', 'number', 'bool', 'boolean', 'array', 'object', 'null'])
    .optional()
    .describe('The type it must have.'),
  match: pattern()
    .optional()
    .describe('RE2 pattern that the string must match.')
    .meta({ examples: ['^web-'] }),
  exists: z.boolean().optional().describe('Whether the field must be there.'),
});

const expectedContentSchema = z.strictObject({
  match: pattern()
    .optional()
    .describe('RE2 pattern that the text must match.')
    .meta({ examples: ['Running'] }),
  fields: z
    .array(expectedFieldSchema)
    .min(1)
    .optional()
    .describe('What single fields of the JSON must be.'),
});

const httpStepSchema = z.strictObject({
  url: nonEmptyText()
    .describe('Address to request.')
    .meta({ examples: ['http://localhost:8080/health'] }),
  method: nonEmptyText().optional().describe('HTTP method.').meta({ default: 'GET' }),
  headers: textMap()
    .optional()
    .describe('Request headers.')
    .meta({ examples: [{ Accept: 'application/json' }] }),
  body: withRules(
    z.strictObject({
      raw: text()
        .optional()
        .describe('Body as text.')
        .meta({ examples: ['name=web'] }),
      json: anything()
        .optional()
        .describe('Body as JSON.')
        .meta({ examples: [{ name: 'web' }] }),
    }),
    { exactlyOne: ['raw', 'json'] },
  )
    .optional()
    .describe('Request body.'),
  expect: z
    .strictObject({
      status: z
        .int()
        .min(100)
        .max(599)
        .optional()
        .describe('Expected status. None: any 2xx passes and nothing else.')
        .meta({ examples: [200] }),
      body: expectedContentSchema.optional().describe('What the body must be.'),
    })
    .optional()
    .describe('What makes the step pass.'),
  timeout: duration().optional().describe('Time limit of the step.').meta({ default: '5m' }),
});

const judgeStepSchema = withRules(
  z.strictObject({
    contains: nonEmptyText()
      .optional()
      .describe("The answer conveys this reference's meaning, extra is fine.")
      .meta({ examples: ['The pod runs in the namespace test'] }),
    exact: nonEmptyText()
      .optional()
      .describe('The answer is equivalent to this, nothing added or missing.')
      .meta({ examples: ['42'] }),
    rubric: nonEmptyText()
      .optional()
      .describe('Free-text criteria for the answer.')
      .meta({ examples: ['Names the pod and says why it failed'] }),
    votes: positiveCount()
      .optional()
      .describe('How often the judge is asked; the majority decides.')
      .meta({ default: 1 }),
  }),
  { exactlyOne: ['contains', 'exact', 'rubric'] },
);

/** What stands under a `<server>.<tool>` key. */
export const mcpToolStepSchema = z
  .strictObject({
    args: anyMap()
      .optional()
      .describe('Arguments of the call.')
      .meta({ examples: [{ names: ['Grace'] }] }),
    expect: z
      .strictObject({
        isError: z
          .boolean()
          .optional()
          .describe('Whether the call must end in an error.')
          .meta({ default: false }),
        content: expectedContentSchema.optional().describe('What the result must be.'),
      })
      .optional()
      .describe('What makes the step pass.'),
  })
  .describe('Calls an MCP tool; not counted as a call of the agent.');

/** What may stand beside the one key that is the step's type. */
export const stepSettings = ['id', 'continueOnError', 'timeout'] as const;

export const stepSchema = withRules(
  z
    .object({
      id: nonEmptyText()
        .optional()
        .describe('Name that later steps refer to its outputs by.')
        .meta({ examples: ['create'] }),
      continueOnError: z
        .boolean()
        .optional()
        .describe('Goes on with the next step after a failure.')
        .meta({ default: false }),
      timeout: duration().optional().describe('Time limit of the step.').meta({ default: '5m' }),
      script: scriptStepSchema.optional().describe('Runs a script; exit 0 passes.'),
      http: httpStepSchema.optional().describe('Makes an HTTP request.'),
      llmJudge: judgeStepSchema
        .optional()
        .describe("Lets a model judge the agent's answer; only in `verify`."),
    })
    .catchall(anything())
    .meta({ id: 'step', description: 'One key is the type of the step.' }),
  {
    dottedKeys:
      '`<server>.<tool>` calls an MCP tool (`args`, `expect`); `<extension>.<operation>` runs an operation of an extension.',
  },
);

export type StepData = z.infer<typeof stepSchema>;
export type McpToolStepData = z.infer<typeof mcpToolStepSchema>;
