import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  calcPrice,
  findProvider,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice as SourcePrice,
} from '@pydantic/genai-prices';
import type { ModelPrice } from '../../src/config/files/prices-file.js';
import type { PricedNames } from '../../src/prices/prices.js';
import type { DatedPrice } from '../../src/prices/token-cost.js';

/**
 * The version of the data and the month in which it was published, which the package itself does not
 * say: `npm view @pydantic/genai-prices time` does. Whoever takes another version writes both here.
 */
const source = { version: '0.1.8', month: '2026-09' };

/** Providers whose models an `llm-agent` asks by these names, and how the names begin. */
const providers = { openai: /^(gpt-|o\d)/, anthropic: /^claude-/, google: /^gemini-/ };

/** Names of models that cost more than their tokens, or do not answer a text with a text. */
const special = /audio|embedding|image|live|realtime|research|search|transcribe|tts|:|-$/;

/** Comments on prices that their author did not find at the provider. */
const doubtful = /OpenRouter|trusting/i;

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/@pydantic/genai-prices');

/** Makes the table of prices from the data of genai-prices: a model a line, so that a diff shows which changed. */
export function priceTableFiles(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (version !== source.version) {
    throw new Error(`genai-prices is ${version}: write it and its month into price-table.ts`);
  }
  const about = `Made by \`npm run generate\` from @pydantic/genai-prices ${version} (https://github.com/pydantic/genai-prices)`;
  const license = readFileSync(path.join(folder, 'LICENSE'), 'utf8').trim();
  const sections = Object.keys(providers).map((provider) => {
    const lines = entriesOf(provider).map((entry) => `      ${JSON.stringify(entry)}`);
    return `    "${provider}": [\n${lines.join(',\n')}\n    ]`;
  });
  const text = [
    '{',
    `  "about": ${JSON.stringify(about)},`,
    `  "license": ${JSON.stringify(license)},`,
    `  "asOf": ${JSON.stringify(source.month)},`,
    '  "providers": {',
    sections.join(',\n'),
    '  }',
    '}',
    '',
  ].join('\n');
  return { 'src/prices/price-table.json': text };
}

function entriesOf(provider: string): PricedNames[] {
  const models = findProvider({ providerId: provider })?.models;
  if (!models) throw new Error(`genai-prices has no provider ${provider}`);
  return models.flatMap((model) => {
    const names = namesOf(provider, model);
    const prices = doubtful.test(model.price_comments ?? '') ? undefined : pricesOf(model);
    return names.length > 0 && prices ? [{ names, prices }] : [];
  });
}

/**
 * The names that the data spells out. Rules such as "starts with" are left aside, as they also match
 * models that nobody has looked at; a date behind a name is looked after by `undatedModel`.
 */
function namesOf(provider: string, { id, match }: ModelInfo): string[] {
  const begin = new Map(Object.entries(providers)).get(provider) ?? /^$/;
  return [...new Set([id, ...equalsOf(match)])].filter((name) => {
    const found = calcPrice({ input_tokens: 1 }, name, { providerId: provider });
    return begin.test(name) && !special.test(name) && found?.model.id === id;
  });
}

function equalsOf(match: MatchLogic): string[] {
  if ('equals' in match) return [match.equals];
  return 'or' in match ? match.or.flatMap(equalsOf) : [];
}

/** Those that were in force at the beginning of the month, and later ones. */
function pricesOf({ id, prices }: ModelInfo): DatedPrice[] | undefined {
  const periods = Array.isArray(prices) ? prices : [{ prices }];
  const dated = periods.map(({ constraint, prices: price }) => {
    if (constraint && constraint.type !== 'start_date') {
      throw new Error(`${id}: the price depends on ${constraint.type}`);
    }
    return { ...(constraint && { from: constraint.start_date }), ...requestPrices(id, price) };
  });
  const current = dated.findLastIndex(({ from = '' }) => from <= `${source.month}-01`);
  const kept = dated.slice(Math.max(current, 0));
  return kept.every(isComplete) ? kept : undefined;
}

function isComplete(price: Partial<DatedPrice>): price is DatedPrice {
  return price.price !== undefined;
}

/** Undefined parts: it is not a model that answers a text with a text at one price. */
function requestPrices(id: string, price: SourcePrice): Omit<Partial<DatedPrice>, 'from'> {
  const otherOutput = Object.keys(price).some((key) => /^output_.+_mtok$/.test(key));
  const short = otherOutput ? undefined : priceAt(price, 0);
  if (!short) return {};
  const starts = new Set(
    Object.values(price).flatMap((each) =>
      typeof each === 'object' ? each.tiers.map(({ start }) => start) : [],
    ),
  );
  if (starts.size > 1) throw new Error(`${id} has more than two tiers`);
  const [above] = starts;
  const long = above === undefined ? undefined : priceAt(price, above + 1);
  return { price: short, ...(above !== undefined && long && { long: { above, price: long } }) };
}

function priceAt(price: SourcePrice, inputTokens: number): ModelPrice | undefined {
  const at = (key: string): number | undefined => {
    const each = price[key];
    if (typeof each !== 'object') return each;
    return each.tiers.findLast(({ start }) => inputTokens > start)?.price ?? each.base;
  };
  const input = at('input_mtok');
  const output = at('output_mtok');
  const cachedInput = at('cache_read_mtok');
  const cacheWrite = at('cache_write_mtok');
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    output,
  };
}
