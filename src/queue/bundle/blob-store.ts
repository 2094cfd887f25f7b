/** Content on its way: compressed, under the SHA-256 of what it was before. */
export interface StoredBlob {
  sha256: string;
  blob: Buffer;
}

/**
 * Where bundles wait for workers. Everything in it expires, and lasts anew when it is asked for, so
 * what `missing` did not name is still there when it is needed.
 */
export interface BlobStore {
  /** Those that have to be sent. The others last as long as if they were sent now. */
  missing(hashes: readonly string[]): Promise<Set<string>>;
  putBlobs(blobs: readonly StoredBlob[]): Promise<void>;
  /** In the order asked for; undefined where there is none. */
  getBlobs(hashes: readonly string[]): Promise<(Buffer | undefined)[]>;
  putManifest(id: string, manifest: Buffer): Promise<void>;
  getManifest(id: string): Promise<Buffer | undefined>;
}
