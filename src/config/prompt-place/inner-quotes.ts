import type { Prompt } from './prompt.js';
import type { Word } from './shell-word.js';

/** The prompts between quotes that are still there when the shell has removed its own. */
export function promptsInInnerQuotes({ text, direct }: Word): Prompt[] {
  let found: Prompt[] = [];
  let pending: Prompt[] = [];
  let quote: string | undefined;
  for (let index = 0; direct.size > 0 && index < text.length; index++) {
    const letter = text.charAt(index);
    const prompt = direct.get(index);
    if (prompt) {
      if (quote !== undefined) pending.push(prompt);
    } else if (letter === quote) {
      found = found.concat(pending);
      quote = undefined;
    } else if (quote === undefined && /["']/.test(letter)) {
      // An apostrophe stands within a word, a quote at its beginning.
      if (index > 0 && !/[\s=:,([{]/.test(text.charAt(index - 1))) continue;
      quote = letter;
      pending = [];
    }
  }
  return found.length > 0 && isPlainText(text) ? [] : found;
}

/** JSON, markup, or prose that begins with a capital or a label: no program has such a name. */
function isPlainText(word: string): boolean {
  const text = word.replace(/^-*[\w.]+=/, '').trim();
  if (/^(?:<\w|[A-Z][a-z']*[,:]?\s+[^-\s]|\S*\w[:,]\s)/.test(text)) return true;
  try {
    JSON.parse(text.replace(/\$(?:\{\w+\}|\w+)/g, '0'));
    return /^[{[]/.test(text);
  } catch {
    return false;
  }
}
