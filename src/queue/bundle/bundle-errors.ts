import { formatSize } from '../../base/text.js';

/** A bundle cannot be made, sent or unpacked. */
export class BundleError extends Error {
  /** What can be done about it. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.hint = hint;
  }
}

export class NoBundleRootError extends BundleError {
  constructor(path: string) {
    super(
      `${path} is not a folder`,
      'name the folder of the eval, or one above it, with --bundle-root',
    );
  }
}

/** The suite uses what is not below its root. */
export class OutsideOfBundleError extends BundleError {
  constructor(path: string, root: string, real: string) {
    const where = real === path ? path : `${path} (a link to ${real})`;
    super(
      `the suite uses ${where}, which is outside of ${root} and is not sent to workers`,
      'move it there, or name a folder that has both with --bundle-root',
    );
  }
}

/** The suite uses a file below its root that does not travel. */
export class LeftOutOfBundleError extends BundleError {
  constructor(path: string, reason: string, hint: string) {
    super(`the suite uses ${path}, which is not sent to workers: ${reason}`, hint);
  }
}

/** There are lines in a `.proctorignore` that say nothing. */
export class IgnoreFileError extends BundleError {
  constructor(path: string, flaws: readonly { line: number; column: number; reason: string }[]) {
    const places = flaws.map(({ line, column, reason }) => `${path}:${line}:${column}: ${reason}`);
    super(places.join('\n'), 'a line holds one glob, such as videos/ or *.log');
  }
}

/** There is more below the root than a bundle may hold. */
export class BundleTooLargeError extends BundleError {
  constructor(root: string, found: string, limit: string, largest: readonly string[]) {
    super(
      `${root} is too large to send to workers: ${found}, at most ${limit}\n${largest.map((part) => `  ${part}`).join('\n')}`,
      'leave out what the suite does not need, in a .proctorignore there, or allow more with --bundle-max-size',
    );
  }
}

export class UnreadableBundleFileError extends BundleError {
  constructor(path: string, cause: unknown) {
    super(
      `${path} cannot be read, so it cannot be sent to workers: ${(cause as Error).message}`,
      'make it readable, or leave it out in a .proctorignore',
      { cause },
    );
  }
}

/** What is to be sent is no longer what was packed. */
export class BundleFileChangedError extends BundleError {
  constructor(path: string) {
    super(
      `${path} changed while it was sent to workers`,
      'try again when nothing writes to it, or leave it out in a .proctorignore',
    );
  }
}

/** What came is not what its digest says, or nothing that Proctor packs. */
export class DamagedBundleError extends BundleError {
  constructor(id: string, reason: string, options?: ErrorOptions) {
    super(
      `the bundle ${id} cannot be trusted: ${reason}`,
      'it is not used; find out who else writes to this Redis, or choose another --queue-prefix',
      options,
    );
  }
}

/** Everything expires some day. */
export class BundleGoneError extends BundleError {
  constructor(id: string, missing: string) {
    super(
      `${missing} of the bundle ${id} is no longer in the store`,
      'resume the check: what is missing is sent again',
    );
  }
}

/** A worker takes no bundle of this size. */
export class BundleRefusedError extends BundleError {
  constructor(id: string, bytes: number, maxBytes: number) {
    super(
      `the bundle ${id} has ${formatSize(bytes)}, and this worker takes at most ${formatSize(maxBytes)}`,
      'allow more with --bundle-max-size of the worker, or make the bundle smaller',
    );
  }
}

/** The disk is full, or the folder cannot be written to. */
export class BundleCacheError extends BundleError {
  constructor(folder: string, cause: unknown) {
    super(
      `a bundle cannot be unpacked into ${folder}: ${(cause as Error).message}`,
      'make room there, or name another place in PROCTOR_CACHE_DIR',
      { cause },
    );
  }
}
