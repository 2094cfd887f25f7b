import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import { createInterface } from 'node:readline';

const protocolVersion = '2025-11-25';

/**
 * A session with an MCP server over plain node:http, one connection, one call at a time: an SDK's
 * client would take longer than what is measured.
 */
export class McpCaller {
  readonly #url: URL;
  /** Idle while the other side is measured: given up before the server does it within a request. */
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1, timeout: 4000 });
  readonly #headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': protocolVersion,
  };
  #lastId = 0;

  private constructor(url: string) {
    this.#url = new URL(url);
  }

  static async open(url: string): Promise<McpCaller> {
    const caller = new McpCaller(url);
    const clientInfo = { name: 'bench', version: '1' };
    await caller.#request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    await caller.#post({ method: 'notifications/initialized' });
    return caller;
  }

  /** Calls a tool and reads the whole answer. */
  async callTool(name: string, args: Record<string, unknown>): Promise<void> {
    await this.#request('tools/call', { name, arguments: args });
  }

  close(): void {
    this.#agent.destroy();
  }

  async #request(method: string, params: Record<string, unknown>): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = await this.#post({ id, method, params });
    if (!answer.includes('"result":') || !answer.includes(`"id":${id}`)) {
      throw new Error(`${method} was answered with ${answer.slice(0, 1000)}`);
    }
  }

  #post(message: Record<string, unknown>): Promise<string> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return new Promise((resolve, reject) => {
      const headers = { ...this.#headers, 'content-length': body.length };
      const request = http.request(this.#url, { method: 'POST', agent: this.#agent, headers });
      request.once('error', reject);
      request.once('response', (response) => {
        const { 'mcp-session-id': session } = response.headers;
        if (typeof session === 'string') this.#headers['mcp-session-id'] = session;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => resolve(Buffer.concat(chunks).toString()));
      });
      request.end(body);
    });
  }
}

/** A session with a server on stdio, one call at a time. */
export class StdioCaller {
  readonly #child: ChildProcess;
  #lastId = 0;
  #answered: (line: string) => void = () => {};

  private constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const { stdout } = this.#child;
    if (stdout) createInterface({ input: stdout }).on('line', (line) => this.#answered(line));
  }

  static async open(program: string, args: readonly string[]): Promise<StdioCaller> {
    const caller = new StdioCaller(program, args);
    const clientInfo = { name: 'bench', version: '1' };
    await caller.#request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    caller.#send({ method: 'notifications/initialized' });
    return caller;
  }

  async callTool(name: string, args: Record<string, unknown>): Promise<void> {
    await this.#request('tools/call', { name, arguments: args });
  }

  close(): void {
    this.#child.kill();
  }

  #request(method: string, params: Record<string, unknown>): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#answered = (line) => {
        if (line.includes('"result":') && line.includes(`"id":${id}`)) resolve();
      };
      this.#send({ id, method, params });
    });
  }

  #send(message: Record<string, unknown>): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** Makes calls over several sessions at a time until there were so many; `one` makes a single call. */
export async function callConcurrently(
  callers: readonly McpCaller[],
  calls: number,
  one: (caller: McpCaller, number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (caller: McpCaller) => {
    while (next < calls) {
      next += 1;
      await one(caller, next);
    }
  };
  await Promise.all(callers.map(work));
}
