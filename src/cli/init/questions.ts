import { createInterface } from 'node:readline/promises';
import type { CommandIo } from '../io.js';
import { printText, terminalColumns, wrapText } from '../wrapped-text.js';

/** Asks people. */
export interface Questions {
  /**
   * An empty answer is the default. Without one, and where `problemOf` objects to an answer, the question
   * is asked again.
   */
  ask(
    question: string,
    initial?: string,
    problemOf?: (answer: string) => string | undefined,
  ): Promise<string>;
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
    async ask(question, initial, problemOf) {
      const hint = initial ? ` [${initial}]` : '';
      for (;;) {
        const shown = wrapText(`${question}${hint}: `, terminalColumns(stderr)).split('\n');
        const prompt = shown.pop() ?? '';
        for (const line of shown) stderr.write(`${line}\n`);
        const answer = await lines.question(prompt, { signal: gone.signal }).catch(() => {
          stderr.write('\n');
          throw new NoAnswer();
        });
        const text = answer.trim() || initial;
        const problem = text === undefined ? 'An answer is needed.' : problemOf?.(text);
        if (text !== undefined && problem === undefined) return text;
        printText(stderr, `${problem}\n`);
      }
    },
    close: () => lines.close(),
  };
}
