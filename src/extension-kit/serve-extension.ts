import type { Readable } from 'node:stream';
import { isObject, type JsonObject } from '../base/json.js';
import { withTimeout } from '../base/timeouts.js';
import { LineSplitter, maxMessageLength } from '../mcp/line-splitter.js';
import type { Extension } from './extension.js';
import { executeOperation } from './operation.js';
import {
  formatThrown,
  MessageWriter,
  RpcError,
  type RpcRequest,
  readRequest,
  rpcErrorCodes,
} from './rpc.js';

/**
 * Serves until `shutdown`, or until the input ends. Rejects with what `teardown` throws, and when the
 * input cannot be read.
 */
export async function serveExtension(
  extension: Extension<unknown>,
  input: Readable,
  write: (line: string) => void,
): Promise<void> {
  const session = new ExtensionSession(extension, new MessageWriter(write));
  const lines = new LineSplitter({ ends: /\n/g, maxLength: maxMessageLength });
  session.shutdown.addEventListener('abort', () => input.destroy());
  try {
    for await (const chunk of input) {
      for (const line of lines.push(chunk)) session.receive(line);
    }
  } catch (error) {
    if (!session.shutdown.aborted) throw error;
  } finally {
    await session.end();
  }
}

/** Serves on stdin and stdout until Proctor is done with the extension, and ends the process then. */
export async function runExtension<State>(extension: Extension<State>): Promise<never> {
  const write = reserveStdout();
  // A promise that an operation did not await must not end the others.
  process.on('unhandledRejection', (reason) => console.error('Unhandled rejection:', reason));
  let exitCode = 0;
  try {
    await serveExtension(extension, process.stdin, write);
  } catch (error) {
    console.error(error);
    exitCode = 1;
  }
  await new Promise<void>((resolve) => write('', resolve));
  // A connection or a timer that the extension forgot must not keep the process alive.
  process.exit(exitCode);
}

/**
 * Reserves stdout for the protocol. What libraries and `console.log` write goes to stderr instead;
 * only the returned function writes to stdout.
 */
function reserveStdout(): (text: string, written?: () => void) => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, { write: stderr.write.bind(stderr) });
  // Proctor may be gone. The end of stdin shows that too, and starts the teardown.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return (text, written) => {
    write(text, () => written?.());
  };
}

const protocolVersion = '0.0.1';
const spokenVersions = /^0\.0\.\d+$/;

/** How long operations may take to react to their signal, in milliseconds; then teardown comes anyway. */
const patience = 1000;

/** Serves the requests of Proctor, from `initialize` to `shutdown`. */
class ExtensionSession {
  readonly #extension: Extension<unknown>;
  readonly #writer: MessageWriter;
  readonly #ending = new AbortController();
  readonly #shutdown = new AbortController();
  /** Requests that are not answered yet. */
  readonly #open = new Set<Promise<void>>();
  /** The result of `setup`; undefined before `initialize`. */
  #state: Promise<{ value: unknown }> | undefined;
  #tearDown = async () => {};
  #end: Promise<void> | undefined;

  constructor(extension: Extension<unknown>, writer: MessageWriter) {
    this.#extension = extension;
    this.#writer = writer;
  }

  /** Aborted when `shutdown` has been answered. */
  get shutdown(): AbortSignal {
    return this.#shutdown.signal;
  }

  /** Takes a line of input. Operations run side by side: it does not wait for them. */
  receive(line: string): void {
    let request: RpcRequest;
    try {
      request = readRequest(line);
    } catch (error) {
      this.#writer.error(null, rpcErrorOf(error));
      return;
    }
    if (request.method === 'shutdown') {
      void this.#answer(request, () => this.#shutDown()).then(() => this.#shutdown.abort());
    } else {
      const answered = this.#answer(request, () => this.#dispatch(request));
      this.#open.add(answered);
      void answered.then(() => this.#open.delete(answered));
    }
  }

  /** Stops what runs, then tears down. Rejects with what `teardown` throws. */
  end(): Promise<void> {
    this.#end ??= this.#finish();
    return this.#end;
  }

  async #answer({ id }: RpcRequest, act: () => Promise<object>): Promise<void> {
    try {
      const result = await act();
      if (id !== undefined) this.#writer.result(id, result);
    } catch (error) {
      if (id !== undefined) this.#writer.error(id, rpcErrorOf(error));
    }
  }

  async #dispatch({ method, params }: RpcRequest): Promise<object> {
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'execute':
        return this.#execute(params);
      default:
        throw new RpcError(rpcErrorCodes.methodNotFound, `there is no method ${method}`);
    }
  }

  async #initialize({ protocolVersion: spoken, config }: JsonObject): Promise<object> {
    if (this.#state || this.#end) {
      throw new RpcError(rpcErrorCodes.invalidRequest, 'the extension was initialized already');
    }
    if (typeof spoken !== 'string' || !spokenVersions.test(spoken)) {
      const message = `the extension speaks protocol version ${protocolVersion}, and no other`;
      throw new RpcError(rpcErrorCodes.invalidParams, message);
    }
    this.#state = this.#setUp(isObject(config) ? config : {});
    await this.#state;
    return manifestOf(this.#extension);
  }

  async #setUp(config: JsonObject): Promise<{ value: unknown }> {
    const context = { log: this.#writer.log, signal: this.#ending.signal };
    const value = await this.#extension.setup?.(config, context);
    this.#tearDown = async () => this.#extension.teardown?.(value);
    return { value };
  }

  async #execute(params: JsonObject): Promise<object> {
    if (!this.#state || this.#end) {
      const message = `the extension ${this.#end ? 'is shutting down' : 'was not initialized'}`;
      throw new RpcError(rpcErrorCodes.invalidRequest, message);
    }
    const { value: state } = await this.#state;
    const context = { state, log: this.#writer.log, ending: this.#ending.signal };
    return executeOperation(this.#extension, params, context);
  }

  async #shutDown(): Promise<object> {
    await this.end();
    return {};
  }

  async #finish(): Promise<void> {
    this.#ending.abort(new Error('the extension is shutting down'));
    await withTimeout(patience, Promise.all(this.#open));
    await this.#tearDown();
  }
}

function manifestOf({ name, version, description, operations }: Extension<unknown>): object {
  const described = Object.entries(operations).map(([operation, { description, params }]) => [
    operation,
    { description, params },
  ]);
  return {
    name,
    version,
    protocolVersion,
    description,
    operations: Object.fromEntries(described),
  };
}

function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError(rpcErrorCodes.internalError, formatThrown(error));
}
