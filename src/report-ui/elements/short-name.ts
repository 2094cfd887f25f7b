const longest = 200;

/** Characters that turn the direction of a text: `evil` can read `live`. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name as it is, unless it says nothing, hides a book, or would read as another one. */
export function shortName(name: string): string {
  if (name.trim() === '') return '(empty)';
  const bounded = name.length > longest ? `${name.slice(0, longest)} …` : name;
  return bounded.replace(turning, (sign) => `[U+${codeOf(sign)}]`);
}

function codeOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
