import { RawJson } from '../base/json-text.js';

/**
 * An object as JSON. Raw JSON goes into it as its text: parsed and written again it could change,
 * and what a server sends can be nested deeper than can be written. A member that is undefined is
 * not there.
 */
export function jsonObject(members: Readonly<Record<string, unknown>>): RawJson {
  const texts: string[] = [];
  for (const [key, value] of Object.entries(members)) {
    const json = value instanceof RawJson ? value.text : JSON.stringify(value);
    if (json !== undefined) texts.push(`${JSON.stringify(key)}:${json}`);
  }
  return new RawJson(`{${texts.join(',')}}`);
}

export function jsonArray(items: readonly RawJson[]): RawJson {
  return new RawJson(`[${items.map(({ text }) => text).join(',')}]`);
}
