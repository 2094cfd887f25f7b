/** Written in by the build, so that nothing has to look for package.json at run time. */
declare const PROCTOR_VERSION: string;

/** The version of this copy of Proctor; run from its sources, as unit tests do, it has none. */
export const proctorVersion: string =
  typeof PROCTOR_VERSION === 'string' ? PROCTOR_VERSION : '0.0.0-source';
