/** A release on GitHub, as far as it matters here. */
export interface Release {
  repo: string;
  /** Its tag: what was asked for, or that with or without a `v`. */
  version: string;
  /** How it is called in messages: `org/repo@v1`. */
  page: string;
  assets: readonly ReleaseAsset[];
}

/** A file of a release. */
export interface ReleaseAsset {
  name: string;
  address: URL;
  bytes: number;
  /** SHA-256 that GitHub counted when the file was uploaded; older files have none. */
  digest?: string;
}
