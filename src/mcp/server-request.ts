import { type RpcMessage, rpcCodes } from './rpc-message.js';

/** What we answer to a request of the server: there is no user here, and no model. */
export function answerToServer({ value }: RpcMessage): string | undefined {
  const { id, method } = value;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  if (!isRequest || typeof method !== 'string') return undefined;
  return JSON.stringify({ jsonrpc: '2.0', id, ...replyTo(method) });
}

function replyTo(method: string): object {
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'roots/list':
      return { result: { roots: [] } };
    case 'elicitation/create':
      return { result: { action: 'decline' } };
    case 'sampling/createMessage':
      return { error: { code: rpcCodes.rejected, message: 'there is no model to ask' } };
    default:
      return { error: { code: rpcCodes.methodNotFound, message: 'method not found' } };
  }
}
