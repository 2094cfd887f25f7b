const kilo = 1024;

/** `812 bytes`, `98 KB`, `12.3 MB`: of a download nobody wants to know the last byte. */
export function sizeText(bytes: number): string {
  if (bytes < kilo) return `${bytes} bytes`;
  const kilobytes = Math.round(bytes / kilo);
  return kilobytes < kilo ? `${kilobytes} KB` : `${(bytes / kilo ** 2).toFixed(1)} MB`;
}
