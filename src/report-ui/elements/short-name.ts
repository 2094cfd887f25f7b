const longest = 200;

/** A name as it is, unless somebody hides a book in it. */
export function shortName(name: string): string {
  return name.length > longest ? `${name.slice(0, longest)} …` : name;
}
