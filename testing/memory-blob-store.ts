import type { BlobStore, StoredBlob } from '../src/queue/bundle/blob-store.js';

/** Keeps bundles in memory, where a test can look at them and damage them. */
export class MemoryBlobStore implements BlobStore {
  readonly blobs = new Map<string, Buffer>();
  readonly manifests = new Map<string, Buffer>();
  /** How often anything was asked of it. */
  roundTrips = 0;

  async missing(hashes: readonly string[]): Promise<Set<string>> {
    this.roundTrips += 1;
    return new Set(hashes.filter((hash) => !this.blobs.has(hash)));
  }

  async putBlobs(blobs: readonly StoredBlob[]): Promise<void> {
    this.roundTrips += 1;
    for (const { sha256, blob } of blobs) this.blobs.set(sha256, blob);
  }

  async getBlobs(hashes: readonly string[]): Promise<(Buffer | undefined)[]> {
    this.roundTrips += 1;
    return hashes.map((hash) => this.blobs.get(hash));
  }

  async putManifest(id: string, manifest: Buffer): Promise<void> {
    this.roundTrips += 1;
    this.manifests.set(id, manifest);
  }

  async getManifest(id: string): Promise<Buffer | undefined> {
    this.roundTrips += 1;
    return this.manifests.get(id);
  }
}
