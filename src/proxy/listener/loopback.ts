const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a Host header names this machine by a name that only loopback has. */
export function isForHere(host: string | undefined): boolean {
  return host !== undefined && loopbackNames.has(host.replace(/:\d+$/, '').toLowerCase());
}

/** Whether a request comes from a program, or from a page that this machine itself serves. */
export function comesFromHere(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return isForHere(host);
}
