/** JSON for standard output; characters that a terminal would obey are escaped. */
export function jsonText(data: unknown): string {
  const text = JSON.stringify(data, null, 2);
  const escaped = text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
