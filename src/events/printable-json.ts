/**
 * JSON whose strings hold no character that a terminal would obey: they are escaped, which changes
 * nothing of what the JSON says. In valid JSON they stand nowhere but in strings.
 */
export function printableJson(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
