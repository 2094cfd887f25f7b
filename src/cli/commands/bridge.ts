import { exitCodes, UsageError } from '../../base/errors.js';
import { isHttpUrl } from '../../base/http/http-syntax.js';
import { runBridge } from '../../proxy/bridge/bridge.js';
import type { CommandRun } from '../command.js';
import { terminalLine } from '../terminal/text.js';

export async function run({ arguments: [url = ''], io }: CommandRun): Promise<number> {
  if (!isHttpUrl(url)) {
    const message = 'bridge: expected the URL of an MCP server, with http:// or https://';
    throw new UsageError(message, 'such as http://127.0.0.1:3001/mcp, or one from `proctor proxy`');
  }
  // It works on the process's own streams, not on CommandIo: that one is for printing, while a stdio
  // server has to see the end of its input and to wait for a reader that is slow.
  await runBridge(new URL(url), (text) =>
    io.stderr.write(`proctor bridge: ${terminalLine(text)}\n`),
  );
  return exitCodes.ok;
}
