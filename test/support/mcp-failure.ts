import { McpError } from '../../src/mcp/mcp-client.js';

/** What something fails with that has to fail. */
export async function failureOf(promise: Promise<unknown>): Promise<McpError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof McpError) return error;
  throw new Error('it should have failed with McpError', { cause: error });
}
