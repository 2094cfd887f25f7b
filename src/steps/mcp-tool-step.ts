import { join } from 'node:path';
import { errorMessage } from '../base/errors.js';
import { RawJson } from '../base/json-text.js';
import { dropPartialLastWord } from '../base/text.js';
import type { Pattern } from '../config/pattern.js';
import type { CallOutcome } from '../mcp/call-outcome.js';
import { BoundedOutput } from './bounded-output.js';
import { boundedOutputs } from './bounded-outputs.js';
import { type Expectations, unmetExpectations } from './expectations.js';
import { type ExpectedContent, preparedExpectations } from './expectations-prepared.js';
import { resolvedStrings } from './resolved-strings.js';
import type { StepContext, StepResult } from './step.js';
import { flawOfAnswer, type ToolResult, toolResult } from './tool-result.js';

/** What stands under `<server>.<tool>`. */
interface McpToolData {
  args?: Record<string, unknown> | null;
  expect?: { isError?: boolean; content?: ExpectedContent } | null;
}

/** In characters. */
const maxQuoted = 300;

/** What stands in content items whatever the content is. */
const frameOfItems =
  '[{:,}]\ntype\ntext\ndata\nmimeType\nuri\nname\ntitle\ndescription\nblob\nsize\nresource\nannotations\n_meta';

/** Calls a tool of a server; it passes if the answer is the expected one. */
export async function runMcpTool(data: unknown, context: StepContext): Promise<StepResult> {
  const step = (data ?? {}) as McpToolData;
  // Left empty, they are the same as left out.
  const args = step.args ?? {};
  const expect = step.expect ?? {};
  const { target, services, signal } = context;
  if (target === undefined) throw new Error('there is no tool to call');
  const resolved = resolvedStrings(args, (text) => context.resolve(text));
  const expected = preparedExpectations(expect.content ?? {}, context.resolve);
  const account = { args: new RawJson(JSON.stringify(resolved)) };
  let outcome: CallOutcome;
  try {
    outcome = await services.callTool(target.name, target.operation, resolved, signal);
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped', outputs: {}, account };
    const message = errorMessage(error);
    return { outcome: 'error', message, outputs: {}, account };
  }
  // Whatever was expected: no tool has said anything.
  if (outcome.isLost) return { outcome: 'error', message: outcome.text, outputs: {}, account };
  const flaw = flawOfAnswer(outcome);
  if (flaw !== undefined) return { outcome: 'failed', message: flaw, outputs: {}, account };
  const result = toolResult(outcome);
  const unmet = unmetBy(result, expect, expected);
  return {
    ...judged(result, expect.isError ?? false, unmet),
    ...outputsOf(result, context),
    account: { ...account, ...(unmet.length > 0 && { unmet }) },
  };
}

function judged(
  { isError, text }: ToolResult,
  expectsError: boolean,
  unmet: readonly string[],
): Pick<StepResult, 'outcome' | 'message'> {
  if (unmet.length === 0) return { outcome: 'passed' };
  if (isError && !expectsError) {
    return { outcome: 'failed', message: `the tool answered with an error: ${quoted(text)}` };
  }
  return { outcome: 'failed', message: unmet.join('; ') };
}

function unmetBy(
  result: ToolResult,
  { isError = false, content: { match = '' } = {} }: NonNullable<McpToolData['expect']>,
  expected: Expectations,
): string[] {
  const unmet =
    result.isError === isError ? [] : [`isError: expected ${isError}, found ${result.isError}`];
  const { pattern, fields } = expected;
  // Older suites were written against the list of content items, as JSON.
  const ofItems = fields.filter(({ path: [first] }) => typeof first === 'number');
  const ofData = fields.filter(({ path: [first] }) => typeof first !== 'number');
  const { text, content = '' } = result;
  const mayBeInItems = pattern && !pattern.test(text) && isForItems(pattern, match);
  const isInItems = mayBeInItems && pattern.test(content);
  const found = { name: 'content', text: isInItems ? content : text };
  return [
    ...unmet,
    ...unmetExpectations(
      { ...(pattern && { pattern }), fields: ofData },
      { ...found, json: dataOf(result) },
    ),
    ...unmetExpectations({ fields: ofItems }, { ...found, json: result.content }),
  ];
}

/** Without quotes, one that would match any items was written for the text alone. */
function isForItems(pattern: Pattern, written: string): boolean {
  if (written.includes('"')) return true;
  // What others have said must not make it one for JSON.
  return !pattern.source.includes('"') && !pattern.test(frameOfItems);
}

/** What fields are looked up in. */
function dataOf({ structuredContent, text }: ToolResult): string | undefined {
  if (structuredContent !== undefined) return structuredContent;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

function outputsOf(
  { isError, text, structuredContent }: ToolResult,
  { harnessFolder, phase, step }: StepContext,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const bounded = (name: string, value: string) => {
    const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-${name}`));
    output.add(Buffer.from(value));
    return output;
  };
  const { outputs, ...cut } = boundedOutputs({
    content: bounded('content', text),
    ...(structuredContent !== undefined && {
      structuredContent: bounded('structuredContent', structuredContent),
    }),
  });
  return { outputs: { ...outputs, isError: String(isError) }, ...cut };
}

function quoted(text: string): string {
  if (text === '') return 'without a text';
  return text.length <= maxQuoted ? text : `${dropPartialLastWord(text.slice(0, maxQuoted))} …`;
}
