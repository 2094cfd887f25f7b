import type { DataPath, SourceFile } from '../config/source-file.js';

/** A line of a file. */
export interface FileLine {
  file: string;
  line: number;
}

/** Where a setting comes from: a command-line option, or a line of a file. */
export type Origin = { option: string } | FileLine;

export function lineOf(file: SourceFile, path: DataPath): FileLine {
  return { file: file.name, line: file.position(file.keyRange(path).start).line };
}
