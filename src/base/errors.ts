/** What a thrown value says, whatever it is. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a caller asked for cannot be done: explained in one line, with a next step, and never by a stack. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

/** The exit status of a check, as reporters and the shell get it. */
export const exitCodes = {
  /** Everything passed. */
  ok: 0,
  /** Something did not pass, or a threshold was missed. */
  failed: 1,
  /** The configuration, the call or the environment is wrong, and nothing ran. */
  invalid: 2,
  /** Stopped by Ctrl-C; what finished is saved. 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;
