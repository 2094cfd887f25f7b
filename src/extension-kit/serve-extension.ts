import type { Readable } from 'node:stream';
import { LineSplitter, maxMessageLength } from '../mcp/line-splitter.js';
import type { Extension } from './extension.js';
import { ExtensionSession } from './extension-session.js';
import { MessageWriter } from './message-writer.js';

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
