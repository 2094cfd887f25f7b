declare const PROCTOR_VERSION: string;

/** Put in by the build, so that no file has to be read for it. */
export const version = typeof PROCTOR_VERSION === 'string' ? PROCTOR_VERSION : '0.0.0';
