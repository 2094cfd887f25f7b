/** What every program that we start must reach without a proxy: our own servers are there. */
const loopback = ['127.0.0.1', 'localhost', '::1'];

/**
 * The variables that keep a program's requests to this machine away from proxies, in both spellings:
 * some programs read the one, some the other, and most send even 127.0.0.1 to a proxy if neither
 * says otherwise. What is there stays.
 */
export function directLoopback(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { NO_PROXY: upper, no_proxy: lower } = environment;
  return { NO_PROXY: withLoopback(upper || lower), no_proxy: withLoopback(lower || upper) };
}

function withLoopback(list = ''): string {
  // Stands for all only where it stands alone, to curl and others.
  if (list.trim() === '*') return list;
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== '');
  return [...entries, ...loopback.filter((host) => !entries.includes(host))].join(',');
}
