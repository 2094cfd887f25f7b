export type Labels = Readonly<Record<string, string>>;

/** Whether all wanted labels are there: what `labelSelector` in an eval means. */
export function hasLabels(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}

/** Formats labels as people write them: `a=1, b=2`. */
export function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(', ');
}

/** The values asked for, by key: one of a key's values must match, for every key. */
export type LabelSelector = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads `k=v,k=v` as `--label-selector` takes it; a string is what is wrong with it. */
export function parseLabelSelector(text: string): LabelSelector | string {
  const selector = new Map<string, Set<string>>();
  for (const part of text.split(',')) {
    const [key = '', ...value] = part.split('=');
    // An empty value is mostly a shell variable that is not set.
    if (key.trim() === '' || value.join('').trim() === '') {
      return `expected key=value, found ${JSON.stringify(part)}`;
    }
    const values = selector.get(key.trim()) ?? new Set();
    selector.set(key.trim(), values.add(value.join('=').trim()));
  }
  return selector;
}

export function matchesSelector(labels: Labels, selector: LabelSelector): boolean {
  return [...selector].every(([key, values]) => {
    const label = labels[key];
    return label !== undefined && values.has(label);
  });
}

export function describeSelector(selector: LabelSelector): string {
  const pairs = [...selector].flatMap(([key, values]) =>
    [...values].map((value) => `${key}=${value}`),
  );
  return pairs.join(',');
}

/** What a selection of tasks comes to that leaves none: `matches none of the 9 tasks`. */
export function describeNoMatch(tasks: number): string {
  return tasks === 1 ? 'does not match the only task' : `matches none of the ${tasks} tasks`;
}
