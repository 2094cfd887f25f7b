import * as z from 'zod/mini';
import { findElements, findMembers, RawJson } from '../../base/json-text.js';
import { truncate } from '../../base/text.js';
import type { AgentStep } from '../../journal/step-events.js';
import { OutputLines } from '../program/program-output.js';
import { type ContentBlock, readStreamLine, type StreamLine } from './stream-line.js';
import { StreamSummary } from './stream-summary.js';

/** Longest line, in characters: a tool's result is a single line, and may be large. */
const maxLineLength = 64 * 1024 * 1024;

/** Reads stream-json as it arrives, and reports the steps in it. */
export class StreamReader {
  readonly summary = new StreamSummary();
  readonly #report: (step: AgentStep) => void;
  readonly #noise: (line: string) => void;
  readonly #lines = new OutputLines(maxLineLength, (line, isCut) => this.#takeLine(line, isCut));

  /** `noise` is called with lines that are not stream-json. */
  constructor(report: (step: AgentStep) => void, noise: (line: string) => void = () => {}) {
    this.#report = report;
    this.#noise = noise;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  #takeLine(text: string, isCut: boolean): void {
    if (isCut) {
      this.#report({ kind: 'log', text: 'A line of the output was too long to be read.' });
      return;
    }
    const line = readStreamLine(text);
    if (!line) {
      this.#noise(text);
      return;
    }
    this.summary.take(line);
    for (const step of readSteps(line, text)) this.#report(step);
  }
}

const maxMessageLength = 100_000;
const maxResultLength = 10_000;

/** Reads the agent steps of a line; `text` is the line as it was written. */
function readSteps(line: StreamLine, text: string): AgentStep[] {
  if (line.type === 'system' && line.subtype === 'api_retry') return [describeRetry(line)];
  const content = line.message?.content ?? [];
  if (line.type === 'user') return content.flatMap(readToolResult);
  if (line.type !== 'assistant') return [];
  const inputs = content.some(({ type }) => type === 'tool_use') ? readInputs(text) : [];
  return content.flatMap((block, index) => readAssistantBlock(block, inputs[index]));
}

function describeRetry({ attempt, max_retries, error, error_status }: StreamLine): AgentStep {
  const reason = [error, error_status].filter((part) => part !== undefined).join(', ');
  const text = `the request to the model failed (${reason}) and is sent again, ${attempt} of ${max_retries}`;
  return { kind: 'log', text };
}

function readAssistantBlock(block: ContentBlock, args: string | undefined): AgentStep[] {
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

/** Reads the input of each block as raw text: writing it again could change it, or recurse too deep. */
function readInputs(line: string): (string | undefined)[] {
  const content = readMember(readMember(line, 'message') ?? '', 'content') ?? '';
  return findElements(content).map(({ start, end }) =>
    readMember(content.slice(start, end), 'input'),
  );
}

function readMember(json: string, key: string): string | undefined {
  const member = findMembers(json).findLast((candidate) => candidate.key === key);
  return member && json.slice(member.start, member.end);
}

function readToolResult({ type, tool_use_id: id, is_error, content }: ContentBlock): AgentStep[] {
  if (type !== 'tool_result') return [];
  const text = truncate(joinParts(content), maxResultLength);
  return [
    { kind: 'tool-result', isError: is_error ?? false, text, ...(id !== undefined && { id }) },
  ];
}

const partsSchema = z.array(z.object({ type: z.string(), text: z.optional(z.string()) }));

function joinParts(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = partsSchema.safeParse(content).data ?? [];
  return parts.map(({ type, text }) => text ?? `[${type}]`).join('\n');
}
