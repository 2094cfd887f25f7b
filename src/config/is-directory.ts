import { statSync } from 'node:fs';

/** Also through symbolic links; what cannot be looked at is none. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
