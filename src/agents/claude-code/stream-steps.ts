import * as z from 'zod/mini';
import { findElements, findMembers, RawJson } from '../../base/json-text.js';
import { truncate } from '../../base/text.js';
import type { AgentStep } from '../../journal/step-events.js';
import type { ContentBlock, StreamLine } from './stream-line.js';

const maxMessageLength = 100_000;
const maxResultLength = 10_000;

/** What a line of the stream tells of the agent's work; the line itself is at hand as its text. */
export function stepsOf(line: StreamLine, text: string): AgentStep[] {
  if (line.type === 'system' && line.subtype === 'api_retry') return [retry(line)];
  const content = line.message?.content ?? [];
  if (line.type === 'user') return content.flatMap(toolResult);
  if (line.type !== 'assistant') return [];
  const inputs = content.some(({ type }) => type === 'tool_use') ? inputsIn(text) : [];
  return content.flatMap((block, index) => saidOrDone(block, inputs[index]));
}

function retry({ attempt, max_retries, error, error_status }: StreamLine): AgentStep {
  const reason = [error, error_status].filter((part) => part !== undefined).join(', ');
  const text = `the request to the model failed (${reason}) and is sent again, ${attempt} of ${max_retries}`;
  return { kind: 'log', text };
}

function saidOrDone(block: ContentBlock, args: string | undefined): AgentStep[] {
  if (block.type === 'text' && block.text !== undefined) {
    return [{ kind: 'message', text: truncate(block.text, maxMessageLength) }];
  }
  if (block.type === 'thinking' && block.thinking !== undefined) {
    return [{ kind: 'thinking', text: truncate(block.thinking, maxMessageLength) }];
  }
  if (block.type !== 'tool_use' || block.name === undefined) return [];
  return [
    {
      kind: 'tool-call',
      tool: block.name,
      ...(block.id !== undefined && { id: block.id }),
      ...(args !== undefined && args.length <= maxMessageLength && { args: new RawJson(args) }),
    },
  ];
}

/** Of each block, as it came: writing it again could change it, or go too deep. */
function inputsIn(line: string): (string | undefined)[] {
  const content = memberOf(memberOf(line, 'message') ?? '', 'content') ?? '';
  return findElements(content).map(({ start, end }) =>
    memberOf(content.slice(start, end), 'input'),
  );
}

function memberOf(json: string, key: string): string | undefined {
  const member = findMembers(json).findLast((candidate) => candidate.key === key);
  return member && json.slice(member.start, member.end);
}

function toolResult({ type, tool_use_id: id, is_error, content }: ContentBlock): AgentStep[] {
  if (type !== 'tool_result') return [];
  const text = truncate(textOf(content), maxResultLength);
  return [
    { kind: 'tool-result', isError: is_error ?? false, text, ...(id !== undefined && { id }) },
  ];
}

const partsSchema = z.array(z.object({ type: z.string(), text: z.optional(z.string()) }));

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = partsSchema.safeParse(content).data ?? [];
  return parts.map(({ type, text }) => text ?? `[${type}]`).join('\n');
}
