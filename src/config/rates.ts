import type { Problems } from './problem.js';
import type { RateData } from './schemas/check-limits-schema.js';
import { providerNamed } from './schemas/model-providers.js';
import type { SourceFile } from './source-file.js';

/** Checks what can be said of rates without knowing who asks models. */
export function checkRates(file: SourceFile, rates: readonly RateData[], problems: Problems): void {
  const seen = new Set<string>();
  for (const [index, rate] of rates.entries()) {
    const path = ['config', 'limits', 'rates', index];
    if (file.isFaulty(path)) continue;
    if (rate.requestsPerMinute === undefined && rate.tokensPerMinute === undefined) {
      const message = 'a rate needs requestsPerMinute or tokensPerMinute: this one limits nothing';
      problems.atKey(file, path, 'missing-field', message);
    }
    const provider = rate.provider && providerNamed(rate.provider);
    const key = JSON.stringify([provider ?? null, rate.model ?? null]);
    if (seen.has(key)) {
      const message = `there are two rates for ${rateTarget({ ...rate, provider })}`;
      problems.atKey(file, path, 'duplicate-rate', message, 'put both numbers into one rate');
    }
    seen.add(key);
  }
}

export interface RateTarget {
  provider?: string | undefined;
  model?: string | undefined;
}

/** Whom a rate is for. */
export function rateTarget({ provider, model }: RateTarget): string {
  if (model === undefined) {
    return provider === undefined ? 'every model' : `every model of ${provider}`;
  }
  return provider === undefined ? `the model ${model}` : `${provider}:${model}`;
}
