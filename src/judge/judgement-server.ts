import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../base/json.js';
import { findMembers, readTextAt } from '../base/json-text.js';
import type { McpServer } from '../config/files/mcp-config-file.js';
import {
  errorCodes,
  formatErrorAnswer,
  formatResultAnswer,
  type Message,
  readIdText,
  readStatelessVersion,
} from '../mcp/message.js';
import { statelessVersion as modernVersion } from '../mcp/protocol-mode.js';
import { chooseStatus } from '../proxy/endpoint/http-reply.js';
import { type Body, type RouteHandler, refuse } from '../proxy/route.js';
import { type JudgementCalls, judgementTool, judgementToolName } from './judgement-tool.js';

/** The MCP server of one attempt, over Streamable HTTP without sessions. */
export class JudgementRoute implements RouteHandler {
  readonly server: McpServer = {
    name: 'judge',
    transport: 'http',
    data: { alwaysAllow: [judgementToolName] },
  };
  readonly #calls: JudgementCalls;

  constructor(calls: JudgementCalls) {
    this.#calls = calls;
  }

  pressure(): undefined {}

  post(_request: IncomingMessage, response: ServerResponse, { messages }: Body): void {
    const requests = messages.list.filter(({ kind }) => kind === 'request');
    const answers = requests.map((message) => answerRequest(message, this.#calls));
    const [answer] = answers;
    if (answer === undefined) {
      response.writeHead(202).end();
      return;
    }
    const isStateless = requests.some((message) => readStatelessVersion(message) !== undefined);
    // Protocol versions with sessions report an error in the body alone.
    const status = isStateless && !messages.isBatch ? chooseStatus(answer) : 200;
    const body = Buffer.from(messages.isBatch ? `[${answers.join(',')}]` : answer);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
  }

  get(_request: IncomingMessage, response: ServerResponse): void {
    refuse(response, 405, 'this server has nothing to say by itself', { allow: 'POST, DELETE' });
  }

  delete(_request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200).end();
  }
}

const latestStatefulVersion = '2025-11-25';

const statefulVersions = ['2024-11-05', '2025-03-26', '2025-06-18', latestStatefulVersion] as const;

const serverInfo = { name: 'judge', version: '1.0.0' };
const capabilities = { tools: {} };

/** Answers a request, with or without sessions, as an MCP server with one tool. */
function answerRequest(message: Message, calls: JudgementCalls): string {
  const version = readStatelessVersion(message);
  if (version !== undefined && version !== modernVersion) return refuseVersion(message);
  const result = createResult(message, calls, version !== undefined);
  if (result) return formatResultAnswer(readIdText(message), JSON.stringify(result));
  const reason = 'this server knows no such method';
  return formatErrorAnswer(readIdText(message), errorCodes.methodNotFound, reason);
}

/** Returns undefined for an unknown method. */
function createResult(
  message: Message,
  calls: JudgementCalls,
  isStateless: boolean,
): object | undefined {
  switch (message.method) {
    case 'initialize':
      return { protocolVersion: chooseVersion(message.params), capabilities, serverInfo };
    case 'ping':
      return isStateless ? addStatelessFields({}) : {};
    case 'server/discover':
      return isStateless ? discovered : undefined;
    case 'tools/list':
      return isStateless ? listed : { tools: [judgementTool] };
    case 'tools/call':
      return isStateless ? addStatelessFields(takeCall(message, calls)) : takeCall(message, calls);
    default:
      return undefined;
  }
}

/** Adds the fields that every result has since protocol version 2026-07-28. */
function addStatelessFields(result: object): object {
  return {
    resultType: 'complete',
    ...result,
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
}

const uncached = { ttlMs: 0, cacheScope: 'private' };
const discovered = addStatelessFields({
  supportedVersions: [modernVersion],
  capabilities,
  ...uncached,
});
const listed = addStatelessFields({ tools: [judgementTool], ...uncached });

/** Chooses the client's version if it is known: some clients refuse a newer one. */
function chooseVersion({ protocolVersion }: JsonObject): string {
  return statefulVersions.find((known) => known === protocolVersion) ?? latestStatefulVersion;
}

function takeCall({ text, params }: Message, calls: JudgementCalls): object {
  if (params.name !== judgementToolName) {
    return createToolResult(`there is only the tool ${judgementToolName}`, true);
  }
  const written = readTextAt(text, ['params']) ?? '{}';
  const isAmbiguous =
    hasKeyTwice(written) || hasKeyTwice(readTextAt(written, ['arguments']) ?? '{}');
  const mistake = isAmbiguous
    ? calls.refuse('an argument is there twice')
    : calls.take(params.arguments);
  if (mistake !== undefined)
    return createToolResult(`This is no valid judgement: ${mistake}.`, true);
  return createToolResult('The judgement is recorded. You are done.', false);
}

/** Whether a key occurs twice: JSON parsers differ in which value they take. */
function hasKeyTwice(object: string): boolean {
  const keys = findMembers(object).map(({ key }) => key);
  return new Set(keys).size < keys.length;
}

function createToolResult(text: string, isError: boolean): object {
  return { content: [{ type: 'text', text }], isError };
}

function refuseVersion(message: Message): string {
  const error = {
    code: errorCodes.unsupportedProtocolVersion,
    message: `this server speaks ${modernVersion}`,
    data: { supported: [modernVersion], requested: readStatelessVersion(message) },
  };
  return `{"jsonrpc":"2.0","id":${readIdText(message)},"error":${JSON.stringify(error)}}`;
}
