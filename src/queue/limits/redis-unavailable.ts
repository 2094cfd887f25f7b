const codes = /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN)\b/;

/**
 * A server that is starting, taking over for another, or out of room: somebody will see to it, and then
 * it answers. While there is no connection at all, questions wait by themselves.
 */
export function isUnavailableForNow(error: unknown): boolean {
  return error instanceof Error && codes.test(error.message);
}
