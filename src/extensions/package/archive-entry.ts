/** A regular file in an archive. */
export interface ArchiveEntry {
  /** With folders, as the archive has it: not to be used as a path. */
  name: string;
  bytes: number;
  isExecutable: boolean;
  /** May be more than `bytes` in a hostile archive. */
  content(): AsyncIterable<Buffer>;
}

/** Far more than any release of a program; keeps time and memory bounded. */
export const maxEntries = 10_000;
