import { isObject, type JsonObject } from '../base/json.js';
import type { Connection } from './connection.js';
import { errorCodes } from './message.js';
import {
  type ClientDescription,
  sessionMode,
  statelessMode,
  statelessVersion,
} from './protocol-mode.js';
import { McpError, type RpcAnswer, type RpcError } from './rpc-message.js';

/** How a server describes itself. */
export interface ServerDescription {
  protocolVersion: string;
  serverInfo?: { name: string; version: string };
  capabilities: JsonObject;
}

interface HandshakeOptions {
  signal: AbortSignal;
  /** None: the one that the server supports, stateless first, as other clients do. */
  mode?: 'stateful' | 'stateless' | undefined;
  /** The protocol version that is offered in a session handshake. */
  protocolVersion?: string | undefined;
  /** How long to wait for a server that may not know the stateless mode, in milliseconds. */
  probeLimitMs: number;
}

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

const latestStatefulVersion = '2025-11-25';

const statefulVersions = new Set([
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  latestStatefulVersion,
]);

/** Connects in the mode that was asked for, or in the one that the server supports. Throws McpError. */
export async function connectToServer(
  connection: Connection,
  client: ClientDescription,
  options: HandshakeOptions,
): Promise<ServerDescription> {
  switch (options.mode) {
    case 'stateful':
      return initialize(connection, client, options);
    case 'stateless': {
      const found = await discover(connection, client, { signal: options.signal });
      if (found) return found;
      throw unusableAnswer('server/discover');
    }
    default:
      return negotiate(connection, client, options);
  }
}

/** Finds out which mode the server supports, and connects in it. */
async function negotiate(
  connection: Connection,
  client: ClientDescription,
  options: HandshakeOptions,
): Promise<ServerDescription> {
  const { signal, probeLimitMs } = options;
  let isSilent = false;
  try {
    const found = await discover(connection, client, { signal, timeoutMs: probeLimitMs });
    if (found) return found;
  } catch (error) {
    // Some old servers do not answer what they do not know.
    isSilent = error instanceof McpError && error.code === 'timeout' && !signal.aborted;
    if (!isSilent) throw error;
  }
  try {
    return await initialize(connection, client, options);
  } catch (error) {
    // A new server that only took its time to start has answered now.
    const isAwake = isSilent && error instanceof McpError && error.rpcError;
    const found = isAwake ? await discover(connection, client, { signal }) : undefined;
    if (found) return found;
    throw error;
  }
}

/** Connects in the stateless mode; undefined if the server does not support it. */
async function discover(
  connection: Connection,
  client: ClientDescription,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<ServerDescription | undefined> {
  connection.mode = statelessMode(client);
  const ask = () =>
    connection.request('server/discover', {}, options).catch((error) => {
      if (isOldRefusal(error)) return undefined;
      throw error;
    });
  let answer = await ask();
  const supported = answer?.error ? supportedVersionsIn(answer.error) : [];
  // It may only have started to know our revision: behind one address there can be several servers.
  if (supported.includes(statelessVersion)) answer = await ask();
  else throwIfTooNew(supported);
  const result = answer?.result;
  const versions = isObject(result) ? result.supportedVersions : undefined;
  if (!isObject(result) || !Array.isArray(versions)) return undefined;
  if (!versions.includes(statelessVersion)) return undefined;
  return { protocolVersion: statelessVersion, ...readDescription(result) };
}

/** A session server may refuse with any status of 4xx, except for missing rights. */
function isOldRefusal(error: unknown): boolean {
  if (!(error instanceof McpError)) return false;
  const { code, status = 0 } = error;
  if (code === 'unusable') return true;
  return code === 'refused' && status >= 400 && status < 500 && status !== 401 && status !== 403;
}

/** The revisions that a server names when it refuses ours. */
function supportedVersionsIn({ code, data }: RpcError): string[] {
  if (code !== errorCodes.unsupportedProtocolVersion || !isObject(data)) return [];
  const { supported } = data;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : [];
}

/** Throws if the server is stateless, but supports only later revisions than ours. */
function throwIfTooNew(versions: readonly string[]): void {
  const isOnlyNewer =
    versions.length > 0 && versions.every((version) => version > statelessVersion);
  if (isOnlyNewer) throw unknownVersionError(versions.join(', '));
}

async function initialize(
  connection: Connection,
  { info, capabilities }: ClientDescription,
  { signal, protocolVersion: offered = latestStatefulVersion }: HandshakeOptions,
): Promise<ServerDescription> {
  connection.mode = sessionMode();
  let sessionId: string | undefined;
  const params = { protocolVersion: offered, capabilities, clientInfo: info };
  const answer = await connection.request('initialize', params, {
    signal,
    answered({ headers }) {
      const id = headers['mcp-session-id'];
      if (typeof id === 'string') sessionId = id;
    },
  });
  const result = requireResult('initialize', answer);
  const { protocolVersion } = result;
  if (typeof protocolVersion !== 'string') throw unusableAnswer('initialize');
  // Whatever follows, the session has to be ended.
  connection.mode = sessionMode(protocolVersion, sessionId);
  if (!statefulVersions.has(protocolVersion)) throw unknownVersionError(protocolVersion);
  connection.notify('notifications/initialized', {});
  // A server may refuse what comes before it.
  await connection.settled();
  // A client that declares it can be asked has to listen: servers also ask outside of a call.
  if (Object.keys(capabilities).length > 0) connection.listen();
  return { protocolVersion, ...readDescription(result) };
}

/** The result of a request that has to have one. Throws McpError. */
export function requireResult(method: string, { result, error }: RpcAnswer): JsonObject {
  if (error) {
    const message = `The server answered ${method} with an error: ${error.message}`;
    throw new McpError(message, { code: 'refused', rpcError: error });
  }
  if (!isObject(result)) throw unusableAnswer(method);
  return result;
}

function readDescription({ serverInfo, capabilities, _meta }: JsonObject) {
  // Stateless servers send it with each answer, beside the result itself.
  const info = serverInfo ?? (isObject(_meta) ? _meta[serverInfoKey] : undefined);
  const { name, version } = isObject(info) ? info : {};
  const isComplete = typeof name === 'string' && typeof version === 'string';
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(isComplete && { serverInfo: { name, version } }),
  };
}

function unusableAnswer(method: string): McpError {
  return new McpError(`The server answered ${method} with something else.`, { code: 'unusable' });
}

function unknownVersionError(version: string): McpError {
  const message = `The server speaks protocol version ${version}, which Proctor does not know.`;
  return new McpError(message, { code: 'unusable' });
}
