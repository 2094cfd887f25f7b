import { existsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AgentServer, NotStartedError } from '../agent.js';

/**
 * Writes a file for the agent that other users cannot read. Throws NotStartedError. Synchronous, as the file
 * is small: handing it to another thread takes longer than writing it.
 */
export function writePrivateFile(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new NotStartedError(
      `the file ${file} for the agent could not be written: ${String(error)}`,
    );
  }
  return file;
}

/** The command of the bridge, a program that offers a remote MCP server on its stdin and stdout. */
interface BridgeCommand {
  command: string;
  args: string[];
}

/**
 * Copies the bridge to the agent's files. The agent sees the command line, and the path of our own
 * program would reveal what started it. Throws NotStartedError.
 */
export async function prepareBridge(folder: string): Promise<(url: string) => BridgeCommand> {
  const program = writePrivateFile(folder, 'bridge.cjs', await readFile(findBridgeFile(), 'utf8'));
  return (url) => ({ command: process.execPath, args: [program, url] });
}

/** Finds the built bridge: beside the chunk with this function, or in dist when run from the sources. */
function findBridgeFile(): string {
  const candidates = ['bridge-program.cjs', '../../../dist/chunks/bridge-program.cjs'].map(
    (relative) => path.resolve(import.meta.dirname, relative),
  );
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${candidates.join(' and ')} do not exist`);
  return found;
}

/** Writes the agent's MCP config, in the form that MCP clients share. */
export async function writeMcpConfig(
  folder: string,
  servers: readonly AgentServer[],
  transport: 'http' | 'stdio' = 'http',
): Promise<string> {
  const bridgeTo = transport === 'stdio' ? await prepareBridge(folder) : undefined;
  const entries = servers.map(({ name, url }): [string, object] => [
    name,
    bridgeTo ? { type: 'stdio', ...bridgeTo(url) } : { type: 'http', url },
  ]);
  const config = { mcpServers: Object.fromEntries(entries) };
  return writePrivateFile(folder, 'mcp-servers.json', JSON.stringify(config, undefined, 2));
}
