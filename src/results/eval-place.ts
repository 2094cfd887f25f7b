import { relative, resolve, sep } from 'node:path';
import type { SourceLine } from '../plan/origin.js';

/** Where something is written, told from the folder of the eval. */
export function placeFrom(evalFolder: string, { file, line }: SourceLine): SourceLine {
  return { file: relative(evalFolder, resolve(file)).split(sep).join('/'), line };
}
