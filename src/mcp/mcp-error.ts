import type { RpcError } from './rpc-message.js';

interface McpErrorDetails {
  code: McpError['code'];
  status?: number;
  rpcError?: RpcError;
}

/** Why a server cannot be used. The message is a sentence about it, without its address. */
export class McpError extends Error {
  /**
   * `refused`: the server answered with an error. `unusable`: what it answered is not MCP.
   * `aborted` and `closed` are the doing of whoever uses the client.
   */
  readonly code: 'unreachable' | 'refused' | 'unusable' | 'timeout' | 'aborted' | 'closed';
  /** Of the HTTP answer, if it was none that MCP provides for. */
  readonly status: number | undefined;
  readonly rpcError: RpcError | undefined;

  constructor(message: string, { code, status, rpcError }: McpErrorDetails) {
    super(message);
    this.name = 'McpError';
    this.code = code;
    this.status = status;
    this.rpcError = rpcError;
  }

  /** Not the server's doing. */
  get isOurs(): boolean {
    return this.code === 'aborted' || this.code === 'closed';
  }
}
