import * as z from 'zod/mini';
import { parseDuration } from '../../base/duration.js';
import {
  addDescription,
  anyMap,
  anything,
  duration,
  fieldPath,
  nonEmptyText,
  optional,
  pattern,
  requireKey,
  text,
  textMap,
} from './fields.js';
import { withRules } from './schema-rules.js';

const scriptStepSchema = withRules(
  z.strictObject({
    file: optional(nonEmptyText(), 'Path to the script.', { examples: ['verify.sh'] }),
    inline: optional(text(), 'The script itself. It is never templated: use `env`.', {
      examples: ['kubectl get pod web'],
    }),
    env: optional(textMap(), 'Environment variables for the script.', {
      examples: [{ POD: '{steps.create.stdout}' }],
    }),
    timeout: optional(duration(), 'Time limit of the step.', { default: '5m' }),
    continueOnError: optional(z.boolean(), 'Goes on with the next step after a failure.', {
      default: false,
    }),
  }),
  { exactlyOne: ['file', 'inline'] },
);

/** A misspelt or empty expectation would hold whatever happens. */
function expectation<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return withRules(z.strictObject(shape), {
    unknownKey: 'unknown-expectation',
    nullIsError: true,
  });
}

const expectedFieldSchema = expectation({
  path: addDescription(fieldPath(), 'Path into the JSON. Alone it means that the field exists.', {
    examples: ['data.items[0].id'],
  }),
  equals: optional(anything(), 'The value it must equal.', { examples: ['web'] }),
  type: optional(
    z.enum(['string', 'number', 'bool', 'boolean', 'array', 'object', 'null']),
    'The type it must have.',
  ),
  match: optional(pattern(), 'RE2 pattern that the string must match.', { examples: ['^web-'] }),
  exists: optional(z.boolean(), 'Whether the field must be there.'),
});

const expectedContentSchema = requireKey(
  expectation({
    match: optional(pattern(), 'RE2 pattern that the text must match.', { examples: ['Running'] }),
    fields: optional(
      z.array(expectedFieldSchema).check(z.minLength(1)),
      'What single fields of the JSON must be.',
    ),
  }),
);

/** A misspelt `expect` would leave the step with nothing to hold the answer against. */
function expectingStep<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return withRules(z.strictObject(shape), {
    nearMiss: { key: 'expect', code: 'unknown-expectation' },
  });
}

const httpStepSchema = expectingStep({
  url: addDescription(nonEmptyText(), 'Address to request.', {
    examples: ['http://localhost:8080/health'],
  }),
  method: optional(nonEmptyText(), 'HTTP method.', { default: 'GET' }),
  headers: optional(textMap(), 'Request headers.', { examples: [{ Accept: 'application/json' }] }),
  body: optional(
    withRules(
      z.strictObject({
        raw: optional(text(), 'Body as text.', { examples: ['name=web'] }),
        json: optional(anything(), 'Body as JSON.', { examples: [{ name: 'web' }] }),
      }),
      { exactlyOne: ['raw', 'json'] },
    ),
    'Request body.',
  ),
  expect: optional(
    requireKey(
      expectation({
        status: optional(
          z.int().check(z.minimum(100), z.maximum(599)),
          'Expected status. None: any 2xx passes and nothing else.',
          { examples: [200] },
        ),
        body: optional(expectedContentSchema, 'What the body must be.'),
      }),
    ),
    'What makes the step pass.',
  ),
  timeout: optional(duration(), 'Time limit of the step.', { default: '5m' }),
});

/** Each vote is a request to a model: more only cost. */
export const maxVotes = 99;
const voteCount = () => z.int().check(z.minimum(1), z.maximum(maxVotes));

const judgeStepSchema = withRules(
  z.strictObject({
    contains: optional(
      nonEmptyText(),
      "The answer conveys this reference's meaning, extra is fine.",
      { examples: ['The pod runs in the namespace test'] },
    ),
    exact: optional(nonEmptyText(), 'The answer is equivalent to this, nothing added or missing.', {
      examples: ['42'],
    }),
    rubric: optional(nonEmptyText(), 'Free-text criteria for the answer.', {
      examples: ['Names the pod and says why it failed'],
    }),
    votes: optional(
      voteCount(),
      `How often the judge is asked, up to ${maxVotes} times; the majority decides.`,
      {
        default: 1,
      },
    ),
    reason: optional(text(), 'Why this is asked, for people; the judge does not see it.', {
      examples: ['The user must learn where the pod runs'],
    }),
  }),
  { exactlyOne: ['contains', 'exact', 'rubric'] },
);

/** What stands under a `<server>.<tool>` key. */
export const mcpToolStepSchema = addDescription(
  expectingStep({
    args: optional(anyMap(), 'Arguments of the call.', { examples: [{ names: ['Grace'] }] }),
    expect: optional(
      requireKey(
        expectation({
          isError: optional(z.boolean(), 'Whether the call must end in an error.', {
            default: false,
          }),
          content: optional(expectedContentSchema, 'What the result must be.'),
        }),
      ),
      'What makes the step pass.',
    ),
  }),
  'Calls an MCP tool; not counted as a call of the agent.',
);

/** What may stand beside the one key that is the step's type. */
export const stepSettings = ['id', 'continueOnError', 'timeout'] as const;

/** A type of step as far as it is known without running one. */
export interface StepDefinition {
  /** The schema of the value of its key. Undefined: the key is a name with a dot, `<target>.<operation>`. */
  schema?: z.ZodMiniOptional<z.ZodMiniType>;
  /** Names of its outputs. Undefined: what it acts on decides. */
  outputs?: readonly string[];
  /** The phases in which it may run. Undefined: all. */
  phases?: readonly string[];
  /** Whether its settings may also stand within its value. */
  holdsSettings?: true;
}

/**
 * Every type of step with its schema and its facts; what other rooms know of steps is derived from this table.
 * How each is run is in src/steps, whose registry does not compile while one is missing.
 */
export const stepDefinitions = {
  script: {
    schema: optional(scriptStepSchema, 'Runs a script; exit 0 passes.'),
    outputs: ['stdout', 'stderr', 'exitCode'],
    holdsSettings: true,
  },
  http: {
    schema: optional(httpStepSchema, 'Makes an HTTP request.'),
    outputs: ['status', 'body'],
    holdsSettings: true,
  },
  llmJudge: {
    schema: optional(judgeStepSchema, "Lets a model judge the agent's answer; only in `verify`."),
    outputs: [],
    phases: ['verify'],
  },
  mcpServer: { outputs: ['content', 'structuredContent', 'isError'] },
  extension: {},
} as const satisfies Record<string, StepDefinition>;

type Definitions = typeof stepDefinitions;

/** A key of the table: the type of a step, or what a step with a dot in its type acts on. */
export type StepType = keyof Definitions;

/** The types that are keys of a step. */
type KeyedStepType = {
  [Type in StepType]: Definitions[Type] extends { schema: unknown } ? Type : never;
}[StepType];

/** The value of the key of a step. */
export type StepValue<Type extends KeyedStepType> = NonNullable<
  z.infer<Definitions[Type]['schema']>
>;

export const keyedStepTypes = Object.entries<StepDefinition>(stepDefinitions).flatMap(
  ([type, { schema }]) => (schema ? [type] : []),
);

/** Returns the definition of a type of step; undefined if there is none of this name. */
export function findStepDefinition(type: string): StepDefinition | undefined {
  return Object.hasOwn(stepDefinitions, type) ? stepDefinitions[type as StepType] : undefined;
}

const stepFields = Object.fromEntries(
  Object.entries<StepDefinition>(stepDefinitions).flatMap(([type, { schema }]) =>
    schema ? [[type, schema]] : [],
  ),
) as { [Type in KeyedStepType]: Definitions[Type]['schema'] };

export const stepSchema = withRules(
  addDescription(
    z.catchall(
      z.object({
        id: optional(nonEmptyText(), 'Name that later steps refer to its outputs by.', {
          examples: ['create'],
        }),
        continueOnError: optional(z.boolean(), 'Goes on with the next step after a failure.', {
          default: false,
        }),
        timeout: optional(duration(), 'Time limit of the step.', { default: '5m' }),
        ...stepFields,
      }),
      anything(),
    ),
    'One key is the type of the step.',
    { id: 'step' },
  ),
  {
    nullIsError: true,
    dottedKeys:
      '`<server>.<tool>` calls an MCP tool (`args`, `expect`); `<extension>.<operation>` runs an operation of an extension.',
  },
);

export type StepData = z.infer<typeof stepSchema>;

/** The value of a `<server>.<tool>` key. */
export type McpToolStepValue = z.infer<typeof mcpToolStepSchema>;

/** What `expect` says of a body or of the content of a result. */
export type ExpectedContent = z.infer<typeof expectedContentSchema>;

/** A step that says nothing of its own time has five minutes. */
export const defaultStepTimeoutMs = 5 * 60_000;

export function parseStepTimeout({ timeout }: { timeout?: string }): number {
  const parsed = timeout === undefined ? undefined : parseDuration(timeout);
  return parsed?.ok ? parsed.milliseconds : defaultStepTimeoutMs;
}
