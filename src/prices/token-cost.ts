import type { ModelPrice } from '../config/files/prices-file.js';
import type { TokenUsage } from '../journal/usage.js';

const million = 1_000_000;

/** The price of a model from some day on. */
export interface DatedPrice {
  /** The first day, in UTC. Undefined: always. */
  from?: string;
  price: ModelPrice;
  /** The price of every token in a request with more input tokens than `above`. */
  long?: { above: number; price: ModelPrice };
}

/** One answered request to a model. */
interface Request {
  usage: TokenUsage;
  at: Date;
}

/**
 * Computes the cost of one request in US dollars; not of several, as long requests have other prices.
 * Undefined if it is unknown: there is no price for that day, or the numbers of tokens contradict
 * each other. Tokens from and into a cache are part of the input, reasoning is part of the output.
 */
export function computeRequestCost(
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
