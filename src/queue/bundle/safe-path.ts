import { sep } from 'node:path';

/** Whether a path of a manifest stays below the folder that it is from, on this system too. */
export function isSafePath(path: string): boolean {
  return path.split('/').every(isName);
}

/**
 * Whether a link at this path leads to a place below the same folder. It may only go up at its start:
 * after a name, which can be a link itself, `..` would go up from wherever that one leads.
 */
export function isSafeLink(path: string, target: string): boolean {
  if (target === '.') return true;
  const steps = target.split('/');
  const firstName = steps.findIndex((step) => step !== '..');
  const ups = firstName === -1 ? steps.length : firstName;
  const depth = path.split('/').length - 1;
  return ups <= depth && steps.slice(ups).every(isName);
}

function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false;
  // Where `\` parts names, `C:` and `file:stream` mean something too.
  return sep === '/' || !/[\\:]/.test(name);
}
