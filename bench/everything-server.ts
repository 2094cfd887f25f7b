import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type BackgroundProcess, startProgram } from './background-process.js';

/** The program of server-everything, for Node. */
export const everythingProgram = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);

/** Starts server-everything on a port of loopback. */
export async function startEverything(
  folder: string,
): Promise<BackgroundProcess & { url: string }> {
  const port = await freePort();
  const started = await startProgram({
    name: 'everything',
    commandLine: [everythingProgram, 'streamableHttp'],
    env: { PORT: String(port) },
    folder,
    ready: { on: 'stderr', pattern: /listening on port (\d+)/ },
  });
  return { ...started, url: `http://127.0.0.1:${port}/mcp` };
}

/** The server does not say which port it got, so it has to be given one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
