/** Providers whose models Proctor can ask itself. */
export const modelProviders = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

export type ModelProvider = (typeof modelProviders)[number];

/** Other names that providers go by. */
const providerAliases = { gemini: 'google' } as const satisfies Record<string, ModelProvider>;

type ProviderAlias = keyof typeof providerAliases;

/** Every provider name that a file may contain. */
export const providerNames = [
  ...modelProviders,
  ...(Object.keys(providerAliases) as ProviderAlias[]),
];

/** The provider of that name, whichever of its names it is. */
export function findProvider(name: string): ModelProvider | undefined {
  return Object.hasOwn(providerAliases, name)
    ? providerAliases[name as ProviderAlias]
    : modelProviders.find((provider) => provider === name);
}

/**
 * The models that help texts, `init`, the reference, guides and examples name. A change here
 * has to be made in README.md, docs/ and examples/ as well: a test finds every name there that is not known to
 * the table of prices, or is shut down before `documentedUntil`.
 */
export const exampleModels = {
  /** A cheap model of OpenAI. */
  small: 'gpt-6-luna',
  /** A capable model of OpenAI. */
  large: 'gpt-6-sol',
  anthropic: 'claude-sonnet-5',
  google: 'gemini-3.8-flash',
};

/** No model that the documentation names is to be shut down before this day. */
export const documentedUntil = '2027-06-01';

/**
 * Days on which providers shut models down, as their pages on deprecations said in November 2026: OpenAI
 * https://developers.openai.com/api/docs/deprecations, Anthropic
 * https://platform.claude.com/docs/en/about-claude/model-deprecations, Google
 * https://ai.google.dev/gemini-api/docs/deprecations. "Not sooner than" is no day.
 */
const shutdowns: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  openai: {
    '2026-07-23': [
      'gpt-5-chat-latest',
      'gpt-5-codex',
      'gpt-5.1-chat-latest',
      'gpt-5.1-codex',
      'gpt-5.1-codex-max',
      'gpt-5.1-codex-mini',
      'gpt-5.2-codex',
    ],
    '2026-08-10': ['gpt-5.2-chat-latest', 'gpt-5.3-chat-latest'],
    '2026-10-23': [
      'gpt-3.5-turbo',
      'gpt-4',
      'gpt-4-turbo',
      'gpt-4.1-nano',
      'gpt-4o-2024-05-13',
      'o1',
      'o1-pro',
      'o3-mini',
      'o4-mini',
    ],
    '2026-12-11': ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-pro', 'o3', 'o3-pro'],
    '2027-01-14': ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-4o-mini'],
    '2027-04-01': ['gpt-5.1', 'gpt-5.3-codex', 'gpt-5.4-nano'],
  },
  anthropic: {
    '2026-01-05': ['claude-3-opus'],
    '2026-02-19': ['claude-3-5-haiku', 'claude-3-7-sonnet'],
    '2026-06-15': ['claude-opus-4', 'claude-opus-4-0', 'claude-sonnet-4', 'claude-sonnet-4-0'],
  },
  google: {
    '2026-03-09': ['gemini-3-pro-preview'],
    '2026-06-01': ['gemini-2.0-flash', 'gemini-2.0-flash-lite'],
    '2026-10-16': ['gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.5-pro'],
    '2027-05-07': ['gemini-3.1-flash-lite'],
  },
};

/** The day on which a provider shuts a model down, as far as it was known when this was written. */
export function findShutdown(provider: string, model: string): string | undefined {
  const days = Object.entries(
    Object.hasOwn(shutdowns, provider) ? (shutdowns[provider] ?? {}) : {},
  );
  const dayOf = (name: string | undefined) =>
    days.find(([, models]) => name !== undefined && models.includes(name))?.[0];
  return dayOf(model) ?? dayOf(removeModelDate(provider, model));
}

/** What providers write behind the name of a model to say which day's it is, and nothing else. */
const dates: Readonly<Record<string, RegExp>> = {
  // gpt-5-mini-2025-08-07
  openai: /-20\d\d-[01]\d-[0-3]\d$/,
  // claude-haiku-4-5-20251001, claude-3-5-haiku-latest
  anthropic: /-(20\d\d[01]\d[0-3]\d|latest)$/,
  // gemini-2.0-flash-001
  google: /-0\d\d$/,
};

/** The model without its date; undefined if it has none. */
export function removeModelDate(provider: string, model: string): string | undefined {
  const date = Object.hasOwn(dates, provider) ? dates[provider] : undefined;
  const undated = date ? model.replace(date, '') : model;
  return undated === model || undated === '' ? undefined : undated;
}
