/** Ways to look at a value that somebody else sent: it may be anything. */

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The beginning of a text, as a copy: a slice would keep all of it in memory. */
export function copyStart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength)).toString();
}

/** As JSON; undefined for what is too long to keep, or nested too deep to write. */
export function stringifyBounded(value: unknown, maxLength: number): string | undefined {
  try {
    const json = JSON.stringify(value);
    return json !== undefined && json.length <= maxLength ? json : undefined;
  } catch {
    return undefined;
  }
}
