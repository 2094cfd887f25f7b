import { valueAt } from './check-shape.js';
import {
  type Environment,
  findReferences,
  stringsWith,
  variable,
  workdirVariable,
} from './environment-expansion.js';
import type { McpConfig, McpServer } from './mcp-config-file.js';
import { soundsSecret } from './secret-names.js';
import type { Secrets } from './secrets.js';
import { addArguments, addVariable } from './secrets-of-environment.js';
import { addHeaders, addPartsOfUrl } from './secrets-of-requests.js';

/** The secrets of the enabled servers of a config. */
export function addServers(secrets: Secrets, config: McpConfig, environment: Environment): void {
  for (const server of config.servers) {
    const written = valueAt(config.written, ['mcpServers', server.name]);
    // Before the values they are part of: the name of a variable says more than that of a header.
    addVariables(secrets, written, environment);
    addValues(secrets, server, written);
  }
}

function addVariables(secrets: Secrets, written: unknown, environment: Environment): void {
  for (const { path, text } of stringsWith('${', written, [])) {
    const isPrivate = path[0] === 'headers' || path[0] === 'env';
    for (const { name } of findReferences(text)) {
      // A folder of the task run, and never the variable of this name.
      if (name === workdirVariable) continue;
      // Elsewhere (an address, arguments) most variables are ports and folders.
      if (isPrivate || soundsSecret(name)) secrets.add(name, variable(environment, name));
    }
  }
}

function addValues(secrets: Secrets, { data }: McpServer, written: unknown): void {
  const { headers = {}, env = {}, args = [], url } = data;
  const isLiteral = (name: string, value: string) =>
    written === undefined || valueAt(written, ['headers', name]) === value;
  addHeaders(secrets, headers, isLiteral);
  for (const [name, value] of Object.entries(env)) {
    addVariable(secrets, name, value);
  }
  addArguments(secrets, args);
  if (url !== undefined) addPartsOfUrl(secrets, url);
}
