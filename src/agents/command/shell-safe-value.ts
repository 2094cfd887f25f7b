import { NotStarted } from '../program/not-started.js';

/** Nothing in it means anything to a shell, in quotes or without, and it is no option. */
const harmlessName = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@+-]*$/u;
const harmlessPath = /^\/[\p{L}\p{N}_.:/@+%=,-]*$/u;
const harmlessUrl = /^https?:\/\/[\w.:/%-]+$/;

/**
 * The name of a server or tool for a command line. Servers choose the names of their tools: one
 * could hold a command, be an option of the agent, or by a separator name a second tool.
 */
export function safeName(what: string, name: string, separator = ''): string {
  const joins = separator !== '' && name.includes(separator);
  if (harmlessName.test(name) && !joins) return name;
  throw new NotStarted(
    `the ${what} ${JSON.stringify(name.slice(0, 200))} has characters that cannot stand in a command line`,
    'Allow only tools with plain names (alwaysAllow in the MCP config), or write an argTemplate that does not use the name.',
  );
}

export function safeUrl(url: string): string {
  if (harmlessUrl.test(url)) return url;
  throw new NotStarted(`the URL ${url} has characters that cannot stand in a command line`);
}

export function safePath(path: string): string {
  if (harmlessPath.test(path)) return path;
  throw new NotStarted(
    `the path ${path} has characters that cannot stand in a command line`,
    'Set TMPDIR to a folder whose path has no spaces or other special characters.',
  );
}
