import type { DataPath, SourceFile } from '../config/yaml/source-file.js';

/** A line of a file. */
export interface SourceLine {
  file: string;
  line: number;
}

/** Where a setting comes from: a command-line option, or a line of a file. */
export type Origin = { option: string } | SourceLine;

/** Locates a key in a file. The line is computed on first access: it takes another pass over the text. */
export function locateKey(file: SourceFile, path: DataPath): SourceLine {
  return {
    file: file.name,
    get line() {
      return file.keyLine(path);
    },
  };
}
