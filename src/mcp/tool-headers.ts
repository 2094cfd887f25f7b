import { headerValue } from './header-value.js';
import { isObject, type JsonObject } from './json-object.js';

interface Declaration {
  header: string;
  /** Where the value stands in the arguments. */
  path: string[];
}

/** What may stand in the name of an HTTP header. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** A schema from outside may be deep; parameters that anybody fills in are not. */
const maxDepth = 64;

/**
 * The tool parameters that a server wants to see in headers too (`x-mcp-header` in the input schema),
 * learnt from the lists that pass. On stdio nobody knows of headers, so whoever stands between stdio
 * and HTTP has to.
 */
export class ToolHeaders {
  readonly #declarations = new Map<string, Declaration[]>();

  /** Takes the result of a tools/list, or one page of it. */
  learn(result: unknown): void {
    if (!isObject(result) || !Array.isArray(result.tools)) return;
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      const declarations = [...declarationsIn(tool.inputSchema, [])];
      if (declarations.length > 0) this.#declarations.set(tool.name, declarations);
      else this.#declarations.delete(tool.name);
    }
  }

  /** For a tools/call with these params. */
  headersFor(params: JsonObject): Record<string, string> {
    if (typeof params.name !== 'string') return {};
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#declarations.get(params.name) ?? []) {
      const text = textOf(valueAt(params.arguments, path));
      if (text !== undefined) headers[`Mcp-Param-${header}`] = headerValue(text);
    }
    return headers;
  }
}

function* declarationsIn(schema: unknown, path: string[]): Generator<Declaration> {
  if (!isObject(schema) || path.length > maxDepth) return;
  const header = schema['x-mcp-header'];
  if (path.length > 0 && typeof header === 'string' && headerName.test(header)) {
    yield { header, path };
  }
  if (!isObject(schema.properties)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    yield* declarationsIn(property, [...path, name]);
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** Numbers beyond the safe integers would not be the ones in the body: the protocol rules them out. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}
