import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { inject } from 'vitest';
import { fixtures } from './cli.js';

export const everythingProgram = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/** A program of test/fixtures/servers. */
export function serverProgram(name: string): string {
  return path.join(fixtures, 'servers', name);
}

export interface HttpServer {
  url: string;
  stop(): Promise<void>;
}

/** How a stdio server is started, with nothing of the machine's own settings. */
export function stdioServer(...args: string[]) {
  const home = inject('homeFolder');
  const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home };
  return { command: process.execPath, args, env };
}

/** Starts server-everything over HTTP. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<HttpServer> {
  const port = await freePort();
  const isReady = (output: string) => /(listening|running) on port/.test(output);
  const { stop } = await start([everythingProgram, mode], { PORT: String(port) }, isReady);
  return { url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`, stop };
}

/** Starts a program of ours that takes any port and prints `listening on URL`. */
export async function startFixture(name: string, ...args: string[]): Promise<HttpServer> {
  const listening = /listening on (\S+)\n/;
  const { output, stop } = await start([serverProgram(name), ...args], { PORT: '0' }, (text) =>
    listening.test(text),
  );
  return { url: listening.exec(output)?.[1] ?? '', stop };
}

async function start(
  args: string[],
  variables: Record<string, string>,
  isReady: (output: string) => boolean,
) {
  const { command, env } = stdioServer();
  const child = spawn(command, args, { env: { ...env, ...variables } });
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += isReady(output) ? '' : data;
      child.emit('told');
    });
  }
  child.once('exit', () => child.emit('told'));
  while (!isReady(output)) {
    if (child.exitCode !== null) throw new Error(`the server has ended: ${output}`);
    await once(child, 'told');
  }
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { output, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
