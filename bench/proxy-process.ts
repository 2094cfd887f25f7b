import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BackgroundProcess, startProgram } from './background-process.js';
import { proctorProgram } from './process-time.js';

export interface ProxyProcess extends BackgroundProcess {
  /** Where the server behind it is reached. */
  url: string;
  journal: string;
}

/** Starts `proctor proxy` before an HTTP server, as people would: with a secret and a journal. */
export function startProxy(folder: string, serverUrl: string): Promise<ProxyProcess> {
  const headers = { Authorization: 'Bearer ${BENCH_TOKEN}' };
  return startProxyBefore(folder, { type: 'http', url: serverUrl, headers });
}

/** The same before any server, as an MCP config has it. */
export async function startProxyBefore(folder: string, server: object): Promise<ProxyProcess> {
  const config = path.join(folder, 'mcp-config.json');
  const journal = path.join(folder, 'journal.jsonl');
  const mcpServers = { server: { ...server, enableAllTools: true } };
  await writeFile(config, JSON.stringify({ mcpServers }));
  const started = await startProgram({
    name: 'proxy',
    commandLine: [proctorProgram, 'proxy', '--mcp-config-file', config, '--out', journal],
    env: {
      BENCH_TOKEN: 'a-token-that-is-in-no-message',
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
    folder,
    ready: { on: 'stdout', pattern: /"url": "(http:[^"]+)"/ },
  });
  return { ...started, url: started.said, journal };
}
