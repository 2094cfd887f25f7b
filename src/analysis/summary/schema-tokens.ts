import type { ResultsFile } from '../../results/results-file.js';
import type { ServerRecord } from '../../results/results-header.js';
import { serversOfVariant } from '../../results/servers-of-variant.js';
import type { CountTokens } from '../../tokens/token-counter.js';

/** By variant; null is that of a file without a matrix, and of tokens that they are not known. */
export type SchemaTokens = ReadonlyMap<string | null, number | null>;

/** Tokens of the tools that a task run is offered. */
export async function schemaTokensOf(
  { header }: ResultsFile,
  countTokens: CountTokens,
): Promise<SchemaTokens> {
  const byConfig = new Map<string | undefined, number | null>();
  const byVariant = new Map<string | null, number | null>();
  for (const name of [null, ...header.variants.map((variant) => variant.name)]) {
    const config = header.variants.find((variant) => variant.name === name)?.mcpConfigFile;
    if (!byConfig.has(config)) {
      byConfig.set(config, await tokensOf(serversOfVariant(header, name), countTokens));
    }
    byVariant.set(name, byConfig.get(config) ?? null);
  }
  return byVariant;
}

/** Null if servers do not tell, or are nested too deep. */
async function tokensOf(
  servers: readonly ServerRecord[],
  countTokens: CountTokens,
): Promise<number | null> {
  const texts = servers.map(toolTexts);
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
