import { isHttpUrl } from '../../config/http-url.js';
import { Bridge } from '../../proxy/bridge/bridge.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { terminalLine } from '../terminal-text.js';
import { untilStopped } from '../until-stopped.js';

/** A client need not read standard error, and a full pipe would stop everything. */
const maxNotes = 100;

/** For output that nobody reads any more. */
const lastWriteTimeout = 2_000;

export async function run({ arguments: [url = ''], io }: CommandRun): Promise<number> {
  if (!isHttpUrl(url)) {
    const message = 'bridge: expected the URL of an MCP server, with http:// or https://';
    throw new UsageError(message, 'such as http://127.0.0.1:3001/mcp, or one from `proctor proxy`');
  }
  let notes = 0;
  // The process's own streams, not CommandIo: that one is for printing, while a stdio server has to
  // see the end of its input and to wait for a reader that is slow. No other command does.
  const bridge = new Bridge({
    url: new URL(url),
    input: process.stdin,
    output: process.stdout,
    note: (text) => {
      notes += 1;
      if (notes <= maxNotes) io.stderr.write(`proctor bridge: ${terminalLine(text)}\n`);
    },
  });
  untilStopped().asked.then(() => bridge.close());
  await bridge.run();
  // Only acts if something still keeps the process: what was written, and nobody reads.
  setTimeout(() => process.exit(exitCodes.ok), lastWriteTimeout).unref();
  return exitCodes.ok;
}
