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
export function undatedModel(provider: string, model: string): string | undefined {
  const date = Object.hasOwn(dates, provider) ? dates[provider] : undefined;
  const undated = date ? model.replace(date, '') : model;
  return undated === model || undated === '' ? undefined : undated;
}
