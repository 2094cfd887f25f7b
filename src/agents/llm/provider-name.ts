export const providerNames = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

export type ProviderName = (typeof providerNames)[number];
