import { encodeHeaderValue } from './mcp-headers.js';
import type { RequestParams } from './rpc-message.js';

export const statelessVersion = '2026-07-28';

/** How a client describes itself to a server. */
export interface ClientDescription {
  info: { name: string; version: string };
  capabilities: object;
}

/**
 * What a mode of the protocol adds to every request: with a session (up to 2025-11-25), or
 * stateless (since 2026-07-28).
 */
export interface ProtocolMode {
  headers(method: string, params: RequestParams): Record<string, string>;
  params(params: RequestParams): RequestParams;
  /** Whether a request is called off by a notification, or by going away. */
  readonly notifiesCancellation: boolean;
  /** Header that names the session, if there is one: it has to be ended. */
  readonly session?: Record<string, string>;
}

/** The mode up to 2025-11-25: one handshake, then a session. */
export function sessionMode(protocolVersion?: string, sessionId?: string): ProtocolMode {
  const session = sessionId === undefined ? undefined : { 'mcp-session-id': sessionId };
  const version = protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion };
  return {
    headers: () => ({ ...version, ...session }),
    params: (params) => params,
    notifiesCancellation: true,
    ...(session && { session }),
  };
}

/** The mode since 2026-07-28: every request is complete in itself. */
export function statelessMode({ info, capabilities }: ClientDescription): ProtocolMode {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': statelessVersion,
    'io.modelcontextprotocol/clientInfo': info,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return {
    headers(method, params) {
      const name = params.name ?? params.uri;
      return {
        'mcp-protocol-version': statelessVersion,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
      };
    },
    params: (params) => ({ ...params, _meta }),
    notifiesCancellation: false,
  };
}
