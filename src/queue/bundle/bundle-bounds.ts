/** Of all files of a bundle, where nobody says otherwise. */
export const defaultMaxBundleBytes = 64 * 1024 * 1024;
