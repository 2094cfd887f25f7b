import type { Searchable } from './searchable.js';
import type { View } from './view.js';

/** Places in the columns of the task runs that a view shows, in the order of the report. */
export function matchingRows(searchable: Searchable, view: View): number[] {
  const { index, count } = searchable;
  const { set, task, outcome } = index.taskRuns;
  const shownSets = matchingSets(searchable, view);
  const shownOutcomes = new Set(view.outcomes);
  const shownTasks = matchingTasks(searchable, view);
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const usesTool = toolFilter(searchable, view);
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if (shownSets && !shownSets.has(set[row] ?? -1)) continue;
    const result = outcome[row];
    if (shownOutcomes.size > 0 && !(result && shownOutcomes.has(result))) continue;
    if (shownTasks && !shownTasks.has(task[row] ?? -1)) continue;
    if (usesTool && !usesTool(row)) continue;
    if (words.length > 0 && !hasAll(searchable.texts[row] ?? '', words)) continue;
    rows.push(row);
  }
  return rows;
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Undefined: all of them. */
function matchingSets({ index }: Searchable, { source, variant }: View): Set<number> | undefined {
  if (source === null && variant === null) return undefined;
  const places = index.sets.flatMap((set, place) => {
    const isWanted =
      (source === null || set.source === source) && (variant === null || set.variant === variant);
    return isWanted ? [place] : [];
  });
  return new Set(places);
}

/** Undefined: all of them. */
function matchingTasks({ index, taskLabels }: Searchable, view: View): Set<number> | undefined {
  const { difficulty, label } = view;
  if (difficulty === null && label === null) return undefined;
  const places = [...index.tasks.keys()];
  return new Set(
    places.filter(
      (place) =>
        (difficulty === null || index.tasks[place]?.difficulty === difficulty) &&
        (label === null || taskLabels[place]?.has(label)),
    ),
  );
}

function toolFilter(searchable: Searchable, view: View): ((row: number) => boolean) | undefined {
  if (view.server === null && view.tool === null) return undefined;
  const wanted = new Set(
    [...searchable.index.tools.keys()].filter(
      (place) =>
        (view.server === null || searchable.toolServers[place] === view.server) &&
        (view.tool === null || searchable.toolNames[place] === view.tool),
    ),
  );
  const { tools } = searchable.index.taskRuns;
  return (row) => tools[row]?.some((tool) => wanted.has(tool)) === true;
}
