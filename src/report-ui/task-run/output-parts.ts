import { parsed } from './result-parts.js';

/** An output of a step. */
export interface OutputPart {
  name: string;
  /** Other outputs that say the same, and are not shown again. */
  sameAs: string[];
  /** A text, or what a text of JSON holds. */
  value: unknown;
}

/** Those that say something: long ones first, each once, then those that fit in a line. */
export function outputParts(outputs: Readonly<Record<string, string>>): OutputPart[] {
  const byText = new Map<string, OutputPart>();
  for (const [name, text] of Object.entries(outputs)) {
    if (text === '') continue;
    const same = isShort(text) ? undefined : byText.get(text);
    if (same) same.sameAs.push(name);
    else byText.set(isShort(text) ? `${name} ${text}` : text, partOf(name, text));
  }
  const parts = [...byText.values()];
  return [
    ...parts.filter(({ value }) => !isShort(value)),
    ...parts.filter(({ value }) => isShort(value)),
  ];
}

function partOf(name: string, text: string): OutputPart {
  return { name, sameAs: [], value: isShort(text) ? text : parsed(text) };
}

const longestLine = 60;

/** Whether it fits beside its name. */
export function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestLine && !value.trim().includes('\n');
}
