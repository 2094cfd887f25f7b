/** Whose models Proctor can ask itself. */
export const modelProviders = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

export type ModelProvider = (typeof modelProviders)[number];

/** Other names of them. */
const providerAliases = { gemini: 'google' } as const satisfies Record<string, ModelProvider>;

type ProviderAlias = keyof typeof providerAliases;

/** Every name that people may write. */
export const providerNames = [
  ...modelProviders,
  ...(Object.keys(providerAliases) as ProviderAlias[]),
];

/** The provider of that name, whichever of its names it is. */
export function providerNamed(name: string): ModelProvider | undefined {
  return Object.hasOwn(providerAliases, name)
    ? providerAliases[name as ProviderAlias]
    : modelProviders.find((provider) => provider === name);
}
