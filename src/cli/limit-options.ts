import { didYouMean } from '../base/nearest.js';
import { providerNamed, providerNames } from '../config/schemas/model-providers.js';
import type { Rate } from '../limits/allowance.js';
import type { CheckLimits } from '../run/session/check-options.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { wholeNumber } from './options.js';

const maxAgents = 100_000;
const maxPerMinute = 1_000_000_000;

type GivenRate = CheckLimits['rates'][number];

export function limitOptionsOf({ options }: CommandRun): CheckLimits {
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
  const provider = providerNamed(name);
  if (provider === undefined) {
    const expected = `expected one of ${providerNames.join(', ')}`;
    const hint = didYouMean(name, providerNames) ?? 'write a model as provider:model=n';
    throw new UsageError(`${flag}: unknown provider ${JSON.stringify(name)}: ${expected}`, hint);
  }
  const model = end < 0 ? undefined : text.slice(end + 1);
  if (model === '') throw new UsageError(`${flag}: expected a model after ${name}:, found nothing`);
  return { provider, ...(model !== undefined && { model }) };
}
