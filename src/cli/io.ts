/** What a command may do to the world outside: everything else it gets as arguments. */
export interface CommandIo {
  stdout: Output;
  stderr: Output;
  environment: Readonly<Record<string, string | undefined>>;
}

export interface Output {
  write(text: string): void;
  /** Calls back when everything is on its way, or lost for good. */
  afterLastWrite?(callback: () => void): void;
  /** Whether people watch. */
  isTerminal: boolean;
  /** Of the terminal, as it is now; undefined where there is none, or it does not say. */
  size?(): TerminalSize | undefined;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
