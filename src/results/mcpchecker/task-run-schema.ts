import * as z from 'zod/mini';

const optionalText = z.nullish(z.string());
const optionalNumber = z.nullish(z.number());
const optionalTruth = z.nullish(z.boolean());

const tokens = z.nullish(
  z.object({
    inputTokens: optionalNumber,
    outputTokens: optionalNumber,
    thoughtTokens: optionalNumber,
    cachedReadTokens: optionalNumber,
  }),
);

const ofEveryCall = {
  serverName: z.string(),
  timestamp: optionalText,
  success: optionalTruth,
  error: optionalText,
  tokens,
};

const request = z.nullish(
  z.object({ Params: z.nullish(z.object({ arguments: z.nullish(z.unknown()) })) }),
);

const step = z.object({
  type: optionalText,
  success: optionalTruth,
  message: optionalText,
  error: optionalText,
  outputs: z.nullish(z.record(z.string(), z.string())),
});

const phase = { Success: optionalTruth, Error: optionalText, Steps: z.nullish(z.array(step)) };

const outputStep = z.object({
  type: optionalText,
  content: optionalText,
  toolCall: z.nullish(
    z.object({
      title: optionalText,
      status: optionalText,
      rawInput: z.nullish(z.unknown()),
      rawOutput: z.nullish(z.unknown()),
    }),
  ),
});

/** As much of a task run of mcpchecker as we know. Any of its lists may be null. */
export const mcpcheckerTaskRunSchema = z.object({
  taskName: z.string(),
  taskPath: optionalText,
  /** From 0, and left out if it is 0. */
  runIndex: optionalNumber,
  totalRuns: optionalNumber,
  difficulty: optionalText,
  taskPassed: optionalTruth,
  taskOutput: optionalText,
  allAssertionsPassed: optionalTruth,
  taskError: optionalText,
  taskJudgeReason: optionalText,
  taskJudgeError: optionalText,
  timedOut: optionalTruth,
  agentExecutionError: optionalTruth,
  setupOutput: z.nullish(z.object(phase)),
  agentOutput: z.nullish(
    z.object({
      ...phase,
      agentDetails: z.nullish(z.object({ outputSteps: z.nullish(z.array(outputStep)) })),
    }),
  ),
  verifyOutput: z.nullish(z.object(phase)),
  cleanupOutput: z.nullish(z.object(phase)),
  tokenEstimate: z.nullish(
    z.object({
      inputTokens: optionalNumber,
      outputTokens: optionalNumber,
      totalTokens: optionalNumber,
      mcpSchemaTokens: optionalNumber,
      actual: tokens,
    }),
  ),
  judgeTokenUsage: tokens,
  assertionResults: z.nullish(
    z.record(z.string(), z.nullish(z.object({ passed: z.boolean(), reason: optionalText }))),
  ),
  callHistory: z.nullish(
    z.object({
      ToolCalls: z.nullish(
        z.array(
          z.object({ ...ofEveryCall, name: z.string(), request, result: z.nullish(z.unknown()) }),
        ),
      ),
      ResourceReads: z.nullish(
        z.array(z.object({ ...ofEveryCall, uri: z.string(), result: z.nullish(z.unknown()) })),
      ),
      PromptGets: z.nullish(
        z.array(
          z.object({ ...ofEveryCall, name: z.string(), request, result: z.nullish(z.unknown()) }),
        ),
      ),
    }),
  ),
});

export type McpcheckerTaskRun = z.infer<typeof mcpcheckerTaskRunSchema>;
export type McpcheckerTokens = z.infer<typeof tokens>;
