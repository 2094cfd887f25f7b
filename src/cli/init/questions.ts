import { createInterface } from 'node:readline/promises';
import type { CommandIo } from '../io.js';

/** Asks people. */
export interface Questions {
  /** An empty answer is the default; without one it is asked again. */
  ask(question: string, initial?: string): Promise<string>;
  close(): void;
}

/** Somebody pressed Ctrl-C or Ctrl-D. */
export class NoAnswer extends Error {}

export function questionsOn(input: NodeJS.ReadStream, { stderr }: CommandIo): Questions {
  // Its own echo is what people see; the questions are ours.
  const lines = createInterface({ input, output: process.stderr, terminal: true });
  const gone = new AbortController();
  lines.on('SIGINT', () => gone.abort());
  lines.on('close', () => gone.abort());
  return {
    async ask(question, initial) {
      const hint = initial === undefined ? '' : ` [${initial}]`;
      for (;;) {
        const answer = await lines
          .question(`${question}${hint}: `, { signal: gone.signal })
          .catch(() => {
            stderr.write('\n');
            throw new NoAnswer();
          });
        const text = answer.trim() || initial;
        if (text !== undefined) return text;
      }
    },
    close: () => lines.close(),
  };
}
