/** Names a tool in the page and in its address. */
export function toolKey({ server, tool }: { server: string; tool: string }): string {
  return `${server}/${tool}`;
}
