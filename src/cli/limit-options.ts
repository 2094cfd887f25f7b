import { didYouMean } from '../base/nearest.js';
import { findProvider, providerNames } from '../config/models.js';
import type { Rate } from '../limits/rate-limiter.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { wholeNumber } from './options.js';

const maxAgents = 100_000;
const maxPerMinute = 1_000_000_000;

interface GivenRate extends Rate {
  /** As it was written. */
  option: string;
}

/** Limits of the command line, checked. */
export interface LimitOptions {
  concurrentAgents?: number;
  rates: readonly GivenRate[];
}

export function limitOptionsOf({ options }: CommandRun): LimitOptions {
  const { concurrentAgents: agents } = options;
  return {
    ...(typeof agents === 'string' && {
      concurrentAgents: wholeNumber('--concurrent-agents', agents, maxAgents),
    }),
    rates: [
      ...givenRates('--requests-per-minute', options.requestsPerMinute, 'requestsPerMinute'),
      ...givenRates('--tokens-per-minute', options.tokensPerMinute, 'tokensPerMinute'),
    ],
  };
}

function givenRates(
  flag: string,
  values: CommandRun['options'][string],
  key: 'requestsPerMinute' | 'tokensPerMinute',
): GivenRate[] {
  const seen = new Set<string>();
  return (Array.isArray(values) ? values : []).map((text) => {
    const split = text.lastIndexOf('=');
    const whom = split < 0 ? undefined : text.slice(0, split).trim();
    const perMinute = wholeNumber(flag, text.slice(split + 1).trim(), maxPerMinute);
    const rate: Rate = { ...(whom !== undefined && targetOf(flag, whom)), [key]: perMinute };
    const name = JSON.stringify([rate.provider ?? null, rate.model ?? null]);
    if (seen.has(name)) {
      throw new UsageError(`${flag}: ${whom ?? 'every model'} is given two limits`);
    }
    seen.add(name);
    return { ...rate, option: `${flag} ${text}` };
  });
}

/** `provider` or `provider:model`. */
function targetOf(flag: string, text: string): Pick<Rate, 'provider' | 'model'> {
  const end = text.indexOf(':');
  const name = end < 0 ? text : text.slice(0, end);
  const provider = findProvider(name);
  if (provider === undefined) {
    const expected = `expected one of ${providerNames.join(', ')}`;
    const hint = didYouMean(name, providerNames) ?? 'write a model as provider:model=n';
    throw new UsageError(`${flag}: unknown provider ${JSON.stringify(name)}: ${expected}`, hint);
  }
  const model = end < 0 ? undefined : text.slice(end + 1);
  if (model === '') throw new UsageError(`${flag}: expected a model after ${name}:, found nothing`);
  return { provider, ...(model !== undefined && { model }) };
}
