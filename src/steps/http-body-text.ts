import { TextDecoder } from 'node:util';

/** Makes text of a body, as its content type says; UTF-8 if that says nothing that is known. */
export function bodyDecoder(contentType: string): TextDecoder {
  const [, label = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** The text if it is JSON. */
export function jsonText(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
