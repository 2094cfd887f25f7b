type Write = (message: string, data?: unknown) => void;

/** Goes to the record of the step. */
export interface ExtensionLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
