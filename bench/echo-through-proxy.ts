import { startEverything } from './everything-server.js';
import { McpCaller } from './mcp-caller.js';
import { startProxy } from './proxy-process.js';

/** server-everything with sessions of two kinds: right with it, and through the proxy. */
export interface EchoThroughProxy {
  direct: McpCaller[];
  proxied: McpCaller[];
  close(): Promise<void>;
}

export async function startEchoThroughProxy(
  folder: string,
  { sessions }: { sessions: number },
): Promise<EchoThroughProxy> {
  const server = await startEverything(folder);
  const stops = [server.stop];
  const close = async () => {
    for (const stop of stops) await stop();
  };
  try {
    const proxy = await startProxy(folder, server.url);
    stops.unshift(proxy.stop);
    const direct = await openAll(server.url, sessions);
    const proxied = await openAll(proxy.url, sessions);
    stops.unshift(async () => {
      for (const caller of [...direct, ...proxied]) caller.close();
    });
    return { direct, proxied, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function echo(caller: Pick<McpCaller, 'callTool'>, number: number): Promise<void> {
  await caller.callTool('echo', { message: `hello for the ${number}th time` });
}

function openAll(url: string, count: number): Promise<McpCaller[]> {
  return Promise.all(Array.from({ length: count }, () => McpCaller.open(url)));
}
