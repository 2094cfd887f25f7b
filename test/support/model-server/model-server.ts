import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anthropicMessages } from './anthropic-messages.js';
import { googleGenerate } from './google-generate.js';
import type { ModelApi, Reply } from './model-api.js';
import { findTool } from './offered-tool.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { ScriptedTurns } from './scripted-turns.js';
import { sendTurn } from './send-turn.js';
import type { ModelRequest, Script, Turn } from './turn.js';

const apis: readonly ModelApi[] = [openaiChat, openaiResponses, anthropicMessages, googleGenerate];

/** A model that says what a test wants, behind the real APIs. It listens on loopback. */
export class ModelServer {
  /** Without a path. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: ModelRequest[] = [];
  /** What a GET of /v1/models/ID gets, by id, of callers with a bearer's token. */
  readonly models = new Map<string, object>();
  /** Method and path of requests that no model API knows; they got 404. */
  readonly others: string[] = [];
  readonly #server: Server;
  readonly #turns: ScriptedTurns;
  #replies = 0;

  static async start(script: Script): Promise<ModelServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new ModelServer(server, script);
  }

  private constructor(server: Server, script: Script) {
    this.#server = server;
    this.#turns = new ScriptedTurns(script);
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      try {
        await this.#receive(request, response);
      } catch {
        // It was broken off before all of it was here.
        response.destroy();
      }
    });
  }

  /** The request of that number, counted from 1, when it is there. */
  async request(number: number): Promise<ModelRequest> {
    for (;;) {
      const found = this.requests[number - 1];
      if (found) return found;
      await once(this.#server, 'received');
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = message;
    const body = await text(message);
    const arrivedAt = Date.now();
    const model =
      method === 'GET' && this.models.get(decodeURIComponent(path.replace('/v1/models/', '')));
    if (model && headers.authorization?.startsWith('Bearer ')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(model));
      return;
    }
    const api = apis.find(({ accepts }) => method === 'POST' && accepts(path));
    if (!api) {
      this.others.push(`${method} ${path}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const question = api.read(body, path);
    const request: ModelRequest = {
      ...question,
      api: api.name,
      path,
      headers,
      arrivedAt,
      body,
      prompt: question.messages.findLast(({ role }) => role === 'user')?.text ?? '',
      ended: once(response, 'close').then(() =>
        response.writableFinished ? 'answered' : 'broken',
      ),
    };
    this.requests.push(request);
    this.#answer(api, request, response);
    this.#server.emit('received');
  }

  #answer(api: ModelApi, request: ModelRequest, response: ServerResponse): void {
    try {
      const turn = this.#turns.next(request);
      sendTurn(api, { turn, reply: this.#reply(turn, request), request, response });
    } catch (error) {
      // A mistake in the script: no program asks again after this.
      const answer = api.error(400, String(error));
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
  }

  #reply(
    { text = '', thinking = '', toolCalls = [], usage, model = '' }: Turn,
    request: ModelRequest,
  ): Reply {
    const number = ++this.#replies;
    return {
      number,
      model: model || request.model,
      text,
      thinking,
      toolCalls: toolCalls.map((call, index) => ({
        id: `call_${number}_${index}`,
        tool: findTool(request.tools, call),
        args: call.rawArgs ?? JSON.stringify(call.args ?? {}),
      })),
      usage: { input: 10, output: 5, cached: 0, cacheWrite: 0, reasoning: 0, ...usage },
    };
  }
}
