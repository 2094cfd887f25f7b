/** Tells a server that a request is called off. The id is given as text. */
export function cancellation(id: string): string {
  const params = `{"requestId":${id},"reason":"nobody waits for the answer any more"}`;
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
}
