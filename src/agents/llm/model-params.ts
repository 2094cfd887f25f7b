import * as z from 'zod/mini';
import { didYouMean } from '../../base/nearest.js';
import type { AgentProblem } from '../agent.js';

const number = z.number();
const count = z.int().check(z.positive());
const text = z.string();

/** `params` of the Agent file; most of them are the model's own settings. */
const paramsSchema = z.strictObject({
  temperature: z.exactOptional(number),
  topP: z.exactOptional(number),
  topK: z.exactOptional(number),
  presencePenalty: z.exactOptional(number),
  frequencyPenalty: z.exactOptional(number),
  maxOutputTokens: z.exactOptional(count),
  seed: z.exactOptional(z.int()),
  stopSequences: z.exactOptional(z.array(text)),
  /** What the model is told before the prompt. */
  system: z.exactOptional(text),
  /** How often the model may be asked. */
  maxSteps: z.exactOptional(count),
  stream: z.exactOptional(z.boolean()),
});

export type ModelParams = z.infer<typeof paramsSchema>;

const known = Object.keys(paramsSchema.shape);

/** Of those that are not just numbers. */
const expected: Record<string, string> = {
  maxOutputTokens: 'a whole number above 0',
  seed: 'a whole number',
  stopSequences: 'a list of texts',
  system: 'a text',
  maxSteps: 'a whole number above 0',
  stream: 'true or false',
};

export function readParams(params: unknown): { params: ModelParams; problems: AgentProblem[] } {
  const { data, error } = paramsSchema.safeParse(params ?? {});
  if (data) return { params: data, problems: [] };
  return { params: {}, problems: error.issues.flatMap(problemsOf) };
}

function problemsOf(issue: z.core.$ZodIssue): AgentProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `unknown setting ${JSON.stringify(key)} in params of the agent`,
      hint: didYouMean(key, known) ?? `known are ${known.join(', ')}`,
    }));
  }
  const name = String(issue.path[0]);
  return [{ message: `params.${name} of the agent has to be ${expected[name] ?? 'a number'}` }];
}
