import type { ModelPrice } from '../config/schemas/prices-schema.js';
import type { TokenUsage } from '../journal/usage.js';

const million = 1_000_000;

/** What a model costs from some day on. */
export interface DatedPrice {
  /** The first day, in UTC. None: since ever. */
  from?: string;
  price: ModelPrice;
  /** What every token of a request costs that has more input than this. */
  long?: { above: number; price: ModelPrice };
}

/** One request to a model, as it was answered. */
interface Request {
  usage: TokenUsage;
  at: Date;
}

/**
 * What one request cost, in US dollars; never of several, as long requests have prices of their own.
 * Undefined where it cannot be said: no price is known of that day, or the numbers of tokens contradict
 * each other. Tokens out of a cache and into it are part of the input, and thoughts part of the output.
 */
export function costOfRequest(
  prices: readonly DatedPrice[],
  { usage, at }: Request,
): number | undefined {
  const day = at.toISOString().slice(0, 10);
  const dated = prices.findLast(({ from }) => from === undefined || from <= day);
  if (!dated) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = inputTokens - cachedInputTokens - cacheWriteTokens;
  const amounts = [plain, cachedInputTokens, cacheWriteTokens, outputTokens];
  if (!amounts.every((amount) => amount >= 0)) return undefined;
  const isLong = dated.long !== undefined && inputTokens > dated.long.above;
  const { input, cachedInput, cacheWrite, output } = (isLong && dated.long?.price) || dated.price;
  const dollars =
    plain * input +
    cachedInputTokens * (cachedInput ?? input) +
    cacheWriteTokens * (cacheWrite ?? input) +
    outputTokens * output;
  return dollars / million;
}
