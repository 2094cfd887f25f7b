const maxListed = 20;

/** Names for an error message: what a release holds has no bounds of its own. */
export function listedNames(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, maxListed).map((name) => name.slice(0, 200));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
