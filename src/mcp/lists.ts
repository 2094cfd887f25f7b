import { isObject, type JsonObject } from '../base/json.js';
import type { Connection, RequestOptions } from './connection.js';
import { resultOf } from './handshake.js';
import { McpError } from './mcp-error.js';
import { rpcCodes } from './rpc-message.js';

/** The lists that a server may offer: how to ask, and what names an item. */
const lists = {
  tools: { method: 'tools/list', key: 'name' },
  resources: { method: 'resources/list', key: 'uri' },
  resourceTemplates: { method: 'resources/templates/list', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', key: 'name' },
} as const;

export type ListName = keyof typeof lists;

/** More than anybody offers on purpose: a list may have no end. */
const maxItems = 100_000;
const maxPages = 1_000;

/** All pages of a list. Throws McpError. */
export async function listAll(
  connection: Connection,
  name: ListName,
  options: RequestOptions,
): Promise<JsonObject[]> {
  const { method } = lists[name];
  const items: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 1; page <= maxPages && items.length <= maxItems; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await connection.request(method, params, options);
    // Some servers say that they have resources, and know nothing of templates.
    if (answer.error?.code === rpcCodes.methodNotFound) return items;
    const result = resultOf(method, answer);
    for (const item of itemsIn(result, name)) items.push(item);
    cursor = result.nextCursor;
    if (typeof cursor !== 'string') return items;
  }
  throw unusable(`The server's list of ${name} does not come to an end.`);
}

function itemsIn(result: JsonObject, name: ListName): JsonObject[] {
  const { method, key } = lists[name];
  const list = result[name];
  if (!Array.isArray(list)) throw unusable(`The server answered ${method} without a list.`);
  return list.map((item: unknown) => {
    if (isObject(item) && typeof item[key] === 'string') return item;
    throw unusable(`The server's list of ${name} has an item without ${key}.`);
  });
}

function unusable(message: string): McpError {
  return new McpError(message, { code: 'unusable' });
}
