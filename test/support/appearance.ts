import { existsSync, watch } from 'node:fs';
import path from 'node:path';

/** When a file is there. */
export function appearance(file: string): Promise<void> {
  return untilChanged(path.dirname(file), () => existsSync(file));
}

/** When a condition holds that can only come true when something changes in a folder. */
export function untilChanged(folder: string, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder);
    const look = () => {
      try {
        if (!isTrue()) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      watcher.close();
    };
    watcher.on('change', look);
    watcher.on('error', reject);
    look();
  });
}
