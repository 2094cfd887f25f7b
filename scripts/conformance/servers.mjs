import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '..', '..');
const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);
const fixture = path.join(root, 'test', 'fixtures', 'servers', 'conformance-server.mjs');
const startWithinMs = 20_000;

/**
 * The servers that the suite runs against, and how many checks of each requirement set have to pass
 * directly: where little passes, the proxy has little to get wrong.
 */
export const servers = [
  {
    name: 'fixture',
    atLeast: { '2025-11-25': 84, '2026-07-28': 196 },
    async start(processes, name) {
      const started = processes.start(name, [process.execPath, fixture], { PORT: '0' });
      const [, url] = await started.findLine(/^listening on (\S+)/, startWithinMs);
      return { process: started, url };
    },
  },
  {
    // It knows the stateful revision only, so it refuses nearly all of 2026-07-28: the proxy has to
    // hand on the refusals as they are.
    name: 'everything',
    atLeast: { '2025-11-25': 47, '2026-07-28': 11 },
    async start(processes, name) {
      // It does not tell which port it got, so it has to be given one.
      const port = String(await freePort());
      const commandLine = [process.execPath, everything, 'streamableHttp'];
      const started = processes.start(name, commandLine, { PORT: port });
      await started.findLine(/listening on port/, startWithinMs);
      return { process: started, url: `http://127.0.0.1:${port}/mcp` };
    },
  },
];

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
