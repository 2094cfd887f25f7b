import type { JudgeFolders } from '../judge/judge.js';
import type { Workspace } from './workspace.js';

/** Makes folders for a judge, a fresh pair each time it is asked. */
export function judgeFolders(workspace: Workspace): () => Promise<JudgeFolders> {
  return async () => {
    const folders = await workspace.foldersFor('judge');
    return { ...folders, remove: () => workspace.removeFolders(folders) };
  };
}
