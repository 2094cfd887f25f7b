import type { Readable } from 'node:stream';
import { LineSplitter, maxMessageLength } from '../mcp/line-splitter.js';
import type { Extension } from './extension.js';
import { ExtensionSession } from './extension-session.js';
import { MessageWriter } from './rpc.js';

/**
 * Serves until `shutdown`, or until the input ends. Rejects with what `teardown` throws, and when the
 * input cannot be read.
 */
export async function serveExtension(
  extension: Extension<unknown>,
  input: Readable,
  write: (line: string) => void,
): Promise<void> {
  const session = new ExtensionSession(extension, new MessageWriter(write));
  const lines = new LineSplitter({ ends: /\n/g, maxLength: maxMessageLength });
  session.shutdown.addEventListener('abort', () => input.destroy());
  try {
    for await (const chunk of input) {
      for (const line of lines.push(chunk)) session.receive(line);
    }
  } catch (error) {
    if (!session.shutdown.aborted) throw error;
  } finally {
    await session.end();
  }
}

/** Serves on stdin and stdout until Proctor is done with the extension, and ends the process then. */
export async function runExtension<State>(extension: Extension<State>): Promise<never> {
  const write = reserveStdout();
  // A promise that an operation did not await must not end the others.
  process.on('unhandledRejection', (reason) => console.error('Unhandled rejection:', reason));
  let exitCode = 0;
  try {
    await serveExtension(extension, process.stdin, write);
  } catch (error) {
    console.error(error);
    exitCode = 1;
  }
  await new Promise<void>((resolve) => write('', resolve));
  // A connection or a timer that the extension forgot must not keep the process alive.
  process.exit(exitCode);
}

/**
 * Reserves stdout for the protocol. What libraries and `console.log` write goes to stderr instead;
 * only the returned function writes to stdout.
 */
function reserveStdout(): (text: string, written?: () => void) => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, { write: stderr.write.bind(stderr) });
  // Proctor may be gone. The end of stdin shows that too, and starts the teardown.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return (text, written) => {
    write(text, () => written?.());
  };
}
