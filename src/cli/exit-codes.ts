/** Exit codes of `proctor`. */
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

/** The command line is wrong: reported in one line, with a next step. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}
