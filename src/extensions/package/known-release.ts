import * as z from 'zod/mini';

/** A release's file for a platform. */
export const releaseFileSchema = z.strictObject({
  name: z.string(),
  /** Also the name of a folder: nothing else may get through. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/** What a package was found to be. */
export const knownReleaseSchema = z.strictObject({
  /** The release's tag. */
  version: z.string(),
  file: releaseFileSchema,
});

export type ReleaseFile = z.infer<typeof releaseFileSchema>;
export type KnownRelease = z.infer<typeof knownReleaseSchema>;
