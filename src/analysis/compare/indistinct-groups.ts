/**
 * The largest sets of names of which no two are different. A name can be in several: that A cannot be
 * told from B, nor B from C, does not mean that A and C are alike. Each pair that is different splits
 * the sets that hold both (Piepho 2004).
 */
export function indistinctGroups(
  names: readonly string[],
  different: readonly (readonly [string, string])[],
): string[][] {
  let groups: ReadonlySet<string>[] = names.length > 0 ? [new Set(names)] : [];
  for (const [one, other] of different) {
    const split = groups.flatMap((group) =>
      group.has(one) && group.has(other) ? [without(group, one), without(group, other)] : [group],
    );
    groups = split.filter(
      (group, index) => !split.some((rival, at) => absorbs(rival, group, at < index)),
    );
  }
  return groups
    .map((group) => names.filter((name) => group.has(name)))
    .sort((a, b) => placesOf(a, names) - placesOf(b, names) || b.length - a.length);
}

function without(group: ReadonlySet<string>, name: string): Set<string> {
  return new Set([...group].filter((each) => each !== name));
}

/** Of two that are the same, the first stays. */
function absorbs(
  rival: ReadonlySet<string>,
  group: ReadonlySet<string>,
  comesBefore: boolean,
): boolean {
  if (rival === group || rival.size < group.size) return false;
  if (rival.size === group.size && !comesBefore) return false;
  return [...group].every((name) => rival.has(name));
}

function placesOf([first = '']: readonly string[], names: readonly string[]): number {
  return names.indexOf(first);
}
