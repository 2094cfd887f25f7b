interface Weighed {
  path: string;
  weight: number;
}

interface Part extends Weighed {
  parts: Map<string, Part>;
}

/** A folder of which one part is nearly everything says less than that part. */
const nearlyAll = 0.8;

/** The files and folders that most of the weight is in, the heaviest first. */
export function largestParts(files: readonly Weighed[], count: number): Weighed[] {
  const root: Part = { path: '', weight: 0, parts: new Map() };
  for (const { path, weight } of files) addTo(root, path, weight);
  return [...root.parts.values()]
    .map(narrowed)
    .sort((left, right) => right.weight - left.weight)
    .slice(0, count)
    .map(({ path, weight, parts }) => ({ path: parts.size > 0 ? `${path}/` : path, weight }));
}

function addTo(root: Part, path: string, weight: number): void {
  let part = root;
  for (const name of path.split('/')) {
    const known = part.parts.get(name);
    const path = part.path === '' ? name : `${part.path}/${name}`;
    const next = known ?? { path, weight: 0, parts: new Map<string, Part>() };
    if (!known) part.parts.set(name, next);
    next.weight += weight;
    part = next;
  }
}

function narrowed(part: Part): Part {
  const heaviest = [...part.parts.values()].find(({ weight }) => weight >= nearlyAll * part.weight);
  return heaviest ? narrowed(heaviest) : part;
}
