import { TokenCounter } from './token-counter.js';

/** How many tokens each of the texts has; undefined if they cannot be counted. */
export type CountTokens = (texts: string[]) => Promise<number[] | undefined>;

/** Counts tokens in a thread that ends when this is done. */
export async function withTokenCounter<Result>(
  use: (countTokens: CountTokens) => Promise<Result>,
): Promise<Result> {
  const tokens = new TokenCounter();
  try {
    return await use((texts) => {
      const counts = tokens.count(texts);
      tokens.hurry();
      return counts;
    });
  } finally {
    await tokens.close();
  }
}
