/** How long an API asks to wait, in milliseconds: it may tell these, seconds, or a date. */
export function retryAfter(headers: Record<string, string> = {}): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': value } = headers;
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
