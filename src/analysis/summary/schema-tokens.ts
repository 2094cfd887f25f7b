import type { ResultsFile } from '../../results/results-file.js';
import type { ServerRecord } from '../../results/results-header.js';
import type { CountTokens } from '../../tokens/with-token-counter.js';

/** Tokens of the tools that the servers of a file offer; null if it does not tell, or too deep. */
export async function schemaTokensOf(
  { header }: ResultsFile,
  countTokens: CountTokens,
): Promise<number | null> {
  const texts = header.mcpServers.map(toolTexts);
  if (texts.length === 0 || texts.some((each) => each === undefined)) return null;
  const counts = await countTokens(texts.flatMap((each) => each ?? []));
  return counts ? counts.reduce((sum, count) => sum + count, 0) : null;
}

function toolTexts({ tools }: ServerRecord): string[] | undefined {
  try {
    return tools?.map((tool) => JSON.stringify(tool));
  } catch (error) {
    // Nested so deeply that it cannot be written.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
