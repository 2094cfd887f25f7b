import type { Writable } from 'node:stream';

/** Writes one message a line. Who writes waits for a slow reader, and with it the server's stream. */
export class LineOutput {
  readonly #stream: Writable;
  #drained: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  async write(line: string): Promise<void> {
    if (this.#stream.write(`${line}\n`)) return;
    // One listener, however many streams of the server wait.
    this.#drained ??= new Promise((resolve) => {
      this.#stream.once('drain', () => {
        this.#drained = undefined;
        resolve();
      });
    });
    await this.#drained;
  }
}
