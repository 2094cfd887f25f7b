import type { JsonObject } from '../base/json.js';
import { findMembers, readTextAt } from '../base/json-text.js';
import { statelessVersion as modernVersion } from '../mcp/era.js';
import {
  errorCodes,
  formatErrorAnswer,
  formatResultAnswer,
  type Message,
  readIdText,
  readStatelessVersion,
} from '../proxy/message.js';
import type { JudgementCalls } from './judgement-calls.js';
import { judgementTool, judgementToolName } from './judgement-tool.js';

const latestStatefulVersion = '2025-11-25';

const statefulVersions = ['2024-11-05', '2025-03-26', '2025-06-18', latestStatefulVersion] as const;

const serverInfo = { name: 'judge', version: '1.0.0' };
const capabilities = { tools: {} };

/** Answers a request of MCP, of either era, as a server with one tool. */
export function answerTo(message: Message, calls: JudgementCalls): string {
  const version = readStatelessVersion(message);
  if (version !== undefined && version !== modernVersion) return unsupportedVersion(message);
  const result = resultOf(message, calls, version !== undefined);
  if (result) return formatResultAnswer(readIdText(message), JSON.stringify(result));
  const reason = 'this server knows no such method';
  return formatErrorAnswer(readIdText(message), errorCodes.methodNotFound, reason);
}

/** Undefined: there is no such method. */
function resultOf(
  message: Message,
  calls: JudgementCalls,
  isStateless: boolean,
): object | undefined {
  switch (message.method) {
    case 'initialize':
      return { protocolVersion: agreedVersion(message.params), capabilities, serverInfo };
    case 'ping':
      return isStateless ? stateless({}) : {};
    case 'server/discover':
      return isStateless ? discovered : undefined;
    case 'tools/list':
      return isStateless ? listed : { tools: [judgementTool] };
    case 'tools/call':
      return isStateless ? stateless(callResult(message, calls)) : callResult(message, calls);
    default:
      return undefined;
  }
}

/** What every result says since 2026-07-28. */
function stateless(result: object): object {
  return {
    resultType: 'complete',
    ...result,
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
}

const uncached = { ttlMs: 0, cacheScope: 'private' };
const discovered = stateless({ supportedVersions: [modernVersion], capabilities, ...uncached });
const listed = stateless({ tools: [judgementTool], ...uncached });

/** Some clients refuse a version that is newer than theirs. */
function agreedVersion({ protocolVersion }: JsonObject): string {
  return statefulVersions.find((each) => each === protocolVersion) ?? latestStatefulVersion;
}

function callResult({ text, params }: Message, calls: JudgementCalls): object {
  if (params.name !== judgementToolName) {
    return toolResult(`there is only the tool ${judgementToolName}`, true);
  }
  const written = readTextAt(text, ['params']) ?? '{}';
  const isAmbiguous =
    hasKeyTwice(written) || hasKeyTwice(readTextAt(written, ['arguments']) ?? '{}');
  const mistake = isAmbiguous
    ? calls.refuse('an argument is there twice')
    : calls.take(params.arguments);
  if (mistake !== undefined) return toolResult(`This is no valid judgement: ${mistake}.`, true);
  return toolResult('The judgement is recorded. You are done.', false);
}

/** Readers of JSON differ in which of two values they take. */
function hasKeyTwice(object: string): boolean {
  const keys = findMembers(object).map(({ key }) => key);
  return new Set(keys).size < keys.length;
}

function toolResult(text: string, isError: boolean): object {
  return { content: [{ type: 'text', text }], isError };
}

function unsupportedVersion(message: Message): string {
  const error = {
    code: errorCodes.unsupportedProtocolVersion,
    message: `this server speaks ${modernVersion}`,
    data: { supported: [modernVersion], requested: readStatelessVersion(message) },
  };
  return `{"jsonrpc":"2.0","id":${readIdText(message)},"error":${JSON.stringify(error)}}`;
}
