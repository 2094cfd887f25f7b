import { formatHash } from '../routing/hash.js';
import { currentRoute, replaceHash, useRoute } from '../routing/use-hash.js';

/** Which tasks are unfolded is in the address, so that a link shows the same. */
export function useUnfoldedTasks() {
  const unfolded = new Set(useRoute().query.getAll('task'));
  const onFold = (task: string, open: boolean) => {
    const { query } = currentRoute();
    const others = query.getAll('task').filter((name) => name !== task);
    query.delete('task');
    for (const name of open ? [...others, task] : others) query.append('task', name);
    replaceHash(formatHash('compare', query));
  };
  return { isUnfolded: (task: string) => unfolded.has(task), onFold };
}
