import type { Output } from './io.js';
import { terminalText } from './terminal-text.js';

/** Writes, and waits until it is on its way: what is long must not pile up in memory. */
export function writeWhole(output: Output, text: string): Promise<void> {
  output.write(text);
  return new Promise((resolve) => {
    if (output.afterLastWrite) output.afterLastWrite(resolve);
    else resolve();
  });
}

/** Text in a format for programs: where people look at it, it must be harmless. */
export function forReader(output: Output, text: string): string {
  return output.isTerminal ? terminalText(text.replaceAll('\r\n', '\n')) : text;
}
