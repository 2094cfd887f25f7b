import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from './private-file.js';

/** How a program is started that offers the MCP server at an address on its input and output. */
export interface BridgeCommand {
  command: string;
  args: string[];
}

/**
 * Puts a copy of the bridge among the files that the agent is handed: the agent sees the command line,
 * and the path of our own program would say what it is started by. Throws NotStarted.
 */
export async function prepareBridge(folder: string): Promise<(url: string) => BridgeCommand> {
  const program = writePrivateFile(folder, 'bridge.cjs', await readFile(bridgeFile(), 'utf8'));
  return (url) => ({ command: process.execPath, args: [program, url] });
}

/** Beside the chunk with this function, or built from these sources. */
function bridgeFile(): string {
  const candidates = ['bridge-program.cjs', '../../../dist/chunks/bridge-program.cjs'].map(
    (relative) => path.resolve(import.meta.dirname, relative),
  );
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${candidates.join(' and ')} do not exist`);
  return found;
}
