import type { DataPath, SourceFile } from '../config/source-file.js';

/** A line of a file. */
export interface FileLine {
  file: string;
  line: number;
}

/** Where a setting comes from: a command-line option, or a line of a file. */
export type Origin = { option: string } | FileLine;

/** The line is found when somebody reads it: that takes reading the file's text once more. */
export function lineOf(file: SourceFile, path: DataPath): FileLine {
  return {
    file: file.name,
    get line() {
      return file.keyLine(path);
    },
  };
}
