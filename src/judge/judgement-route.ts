import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../config/mcp-config-file.js';
import { chooseStatus } from '../proxy/endpoint/http-reply.js';
import { readStatelessVersion } from '../proxy/message.js';
import { type Body, type RouteHandler, refuse } from '../proxy/route.js';
import type { JudgementCalls } from './judgement-calls.js';
import { judgementToolName } from './judgement-tool.js';
import { answerTo } from './protocol-answer.js';

/** The MCP server of one attempt to get a judgement, over Streamable HTTP. It needs no sessions. */
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
    const answers = requests.map((message) => answerTo(message, this.#calls));
    const [answer] = answers;
    if (answer === undefined) {
      response.writeHead(202).end();
      return;
    }
    const isStateless = requests.some((message) => readStatelessVersion(message) !== undefined);
    // The eras before tell an error in the body alone.
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
