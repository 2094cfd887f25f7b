/** An extension as the eval defines it, with every placeholder replaced. */
export interface ExtensionDefinition {
  /** Its name in the eval. */
  name: string;
  /** As written: a path, or `https://github.com/org/repo@version`. */
  package: string;
  config: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string>>;
  /** Folder of the eval: relative paths start here, and the lock file lies here. */
  folder: string;
}

/** What an extension says it can do. */
export interface ExtensionManifest {
  name: string;
  version: string;
  protocolVersion: string;
  description?: string;
  operations: ReadonlyMap<string, ExtensionOperation>;
}

export interface ExtensionOperation {
  description?: string;
  /** JSON Schema of the arguments; none: they are not checked. */
  params?: unknown;
}

/** Something that keeps an extension from being used. */
export class ExtensionError extends Error {
  /** The end of its log, and what else helps. */
  readonly details: string | undefined;
  /** What can be done about it. */
  readonly hint: string | undefined;

  constructor(message: string, more: { details?: string; hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ExtensionError';
    this.details = more.details;
    this.hint = more.hint;
  }
}
