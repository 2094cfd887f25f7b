import { join } from 'node:path';
import { errorMessage } from '../base/errors.js';
import { isObject } from '../base/json.js';
import { RawJson, readTextAt } from '../base/json-text.js';
import { truncate } from '../base/text.js';
import type { Pattern } from '../config/patterns/pattern.js';
import type { McpToolStepValue } from '../config/schemas/step-schemas.js';
import type { CallOutcome } from '../mcp/call-outcome.js';
import { BoundedOutput, collectOutputs } from './bounded-output.js';
import { type Expectations, findUnmetExpectations, isJson } from './expectations.js';
import { prepareExpectations } from './expected-content.js';
import { resolveStrings } from './placeholder-values.js';
import type { StepContext, StepResult } from './step.js';

/** How much of an error is quoted, in characters. */
const maxQuoted = 300;

/** Text that occurs in the JSON of any content items. */
const frameOfItems =
  '[{:,}]\ntype\ntext\ndata\nmimeType\nuri\nname\ntitle\ndescription\nblob\nsize\nresource\nannotations\n_meta';

/** Calls a tool of a server; it passes if the answer is the expected one. */
export async function runMcpToolStep(data: unknown, context: StepContext): Promise<StepResult> {
  const step = (data ?? {}) as McpToolStepValue;
  // An empty value in YAML means the same as none.
  const args = step.args ?? {};
  const expect = step.expect ?? {};
  const { target, services, signal } = context;
  if (target === undefined) throw new Error('there is no tool to call');
  const resolved = resolveStrings(args, (text) => context.resolve(text));
  const expected = prepareExpectations(expect.content ?? {}, context.resolve);
  const account = { args: new RawJson(JSON.stringify(resolved)) };
  let outcome: CallOutcome;
  try {
    outcome = await services.callTool(target.name, target.operation, resolved, signal);
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped', outputs: {}, account };
    const message = errorMessage(error);
    return { outcome: 'error', message, outputs: {}, account };
  }
  // The connection was lost: no tool has answered, whatever was expected.
  if (outcome.isLost) return { outcome: 'error', message: outcome.text, outputs: {}, account };
  const flaw = findAnswerFlaw(outcome);
  if (flaw !== undefined) return { outcome: 'failed', message: flaw, outputs: {}, account };
  const result = readToolResult(outcome);
  const unmet = findUnmet(result, expect, expected);
  return {
    ...decideOutcome(result, expect.isError ?? false, unmet),
    ...boundOutputs(result, context),
    account: { ...account, ...(unmet.length > 0 && { unmet }) },
  };
}

function decideOutcome(
  { isError, text }: ToolResult,
  expectsError: boolean,
  unmet: readonly string[],
): Pick<StepResult, 'outcome' | 'message'> {
  if (unmet.length === 0) return { outcome: 'passed' };
  if (isError && !expectsError) {
    return { outcome: 'failed', message: `the tool answered with an error: ${quoteError(text)}` };
  }
  return { outcome: 'failed', message: unmet.join('; ') };
}

function findUnmet(
  result: ToolResult,
  { isError = false, content: { match = '' } = {} }: NonNullable<McpToolStepValue['expect']>,
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
    ...findUnmetExpectations(
      { ...(pattern && { pattern }), fields: ofData },
      { ...found, json: findJsonData(result) },
    ),
    ...findUnmetExpectations({ fields: ofItems }, { ...found, json: result.content }),
  ];
}

/** Whether a pattern may be meant for the items' JSON. One without quotes that matches any items is not. */
function isForItems(pattern: Pattern, written: string): boolean {
  if (written.includes('"')) return true;
  // Values of placeholders must not make it a pattern for JSON.
  return !pattern.source.includes('"') && !pattern.test(frameOfItems);
}

/** Finds the JSON in which fields are looked up. */
function findJsonData({ structuredContent, text }: ToolResult): string | undefined {
  return structuredContent ?? (isJson(text) ? text : undefined);
}

function boundOutputs(
  { isError, text, structuredContent }: ToolResult,
  { harnessFolder, phase, step }: StepContext,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const bounded = (name: string, value: string) => {
    const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-${name}`));
    output.add(Buffer.from(value));
    return output;
  };
  const { outputs, ...cut } = collectOutputs({
    content: bounded('content', text),
    ...(structuredContent !== undefined && {
      structuredContent: bounded('structuredContent', structuredContent),
    }),
  });
  return { outputs: { ...outputs, isError: String(isError) }, ...cut };
}

function quoteError(text: string): string {
  return text === '' ? 'without a text' : truncate(text, maxQuoted);
}

/** The answer of a tool. JSON is kept as text, so that large numbers stay exact. */
interface ToolResult {
  isError: boolean;
  /** The texts of the content, or the message of a JSON-RPC error. */
  text: string;
  /** The list of content items as JSON. */
  content?: string;
  structuredContent?: string;
}

function readToolResult({ isError, text, result, error, answerText }: CallOutcome): ToolResult {
  if (error || !isObject(result)) return { isError, text };
  const content = readTextAt(answerText ?? '', ['result', 'content']);
  const structured = readTextAt(answerText ?? '', ['result', 'structuredContent']);
  const structuredContent = structured === 'null' ? undefined : structured;
  const texts = collectTexts(result.content);
  // Some servers send structured content only.
  const onlyStructured = isEmpty(result.content) ? structuredContent : undefined;
  return {
    isError,
    text: onlyStructured ?? texts.join('\n'),
    ...(content !== undefined && { content }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

/** Finds why an answer is not a tool result; undefined if it is one. */
function findAnswerFlaw(outcome: CallOutcome): string | undefined {
  const { text, result, error, isMalformed } = outcome;
  if (isMalformed || (isObject(result) && result.resultType === 'input_required')) return text;
  if (error || !isObject(result)) return undefined;
  const isTask = isObject(result.task) || (result.resultType ?? 'complete') !== 'complete';
  return isTask ? 'The server answered before the tool had a result.' : undefined;
}

function collectTexts(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((item) =>
    isObject(item) && typeof item.text === 'string' ? item.text : [],
  );
}

function isEmpty(content: unknown): boolean {
  return !Array.isArray(content) || content.length === 0;
}
