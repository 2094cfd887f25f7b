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
