import { httpToken } from '../base/http/http-syntax.js';
import { isObject, type JsonObject } from '../base/json.js';

interface Declaration {
  header: string;
  /** Path of the value in the arguments. */
  path: string[];
}

/** A schema from outside may be deep; parameters that a model fills in are not. */
const maxDepth = 64;

/**
 * The tool parameters that a server wants to see in headers too (`x-mcp-header` in the input schema),
 * learnt from the lists that pass. There are no headers on stdio, so a bridge between stdio and
 * HTTP has to add them.
 */
export class ToolHeaders {
  readonly #declarations = new Map<string, Declaration[]>();

  /** Takes the result of a tools/list, or one page of it. */
  learn(result: unknown): void {
    if (!isObject(result) || !Array.isArray(result.tools)) return;
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      const declarations = [...listDeclarations(tool.inputSchema, [])];
      if (declarations.length > 0) this.#declarations.set(tool.name, declarations);
      else this.#declarations.delete(tool.name);
    }
  }

  /** Builds the headers of a tools/call with these params. */
  headersFor(params: JsonObject): Record<string, string> {
    if (typeof params.name !== 'string') return {};
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#declarations.get(params.name) ?? []) {
      const text = formatHeaderText(getValueAt(params.arguments, path));
      if (text !== undefined) headers[`Mcp-Param-${header}`] = encodeHeaderValue(text);
    }
    return headers;
  }
}

/** Keys of a JSON Schema that hold further schemas, apart from `properties`: one or a list, or a map. */
const otherSubschemas = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];
const otherSubschemaMaps = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'];

const mirroredTypes: readonly unknown[] = ['string', 'integer', 'boolean'];

/**
 * What is wrong with the headers that an input schema asks for, as a sentence without its end;
 * undefined if nothing is. A client over HTTP has to leave such a tool out of the list (2026-07-28).
 */
export function findHeaderFault(inputSchema: unknown): string | undefined {
  const names = new Set<string>();
  for (const { schema, isReachable } of listSubschemas(inputSchema, 0)) {
    const header = schema['x-mcp-header'];
    if (header === undefined) continue;
    if (!isReachable) return 'x-mcp-header stands where it is not a property of the arguments';
    if (typeof header !== 'string' || !httpToken.test(header)) {
      return `x-mcp-header ${JSON.stringify(header)} cannot be part of the name of a header`;
    }
    if (!mirroredTypes.includes(schema.type)) {
      return `x-mcp-header ${header} is not of type string, integer or boolean`;
    }
    const name = header.toLowerCase();
    if (names.has(name)) return `x-mcp-header ${header} is there twice`;
    names.add(name);
  }
  return undefined;
}

interface Subschema {
  schema: JsonObject;
  /** Whether its value can be found in any arguments: nothing but `properties` leads to it. */
  isReachable: boolean;
}

function* listSubschemas(schema: unknown, depth: number, isReachable = true): Generator<Subschema> {
  if (!isObject(schema) || depth > maxDepth) return;
  yield { schema, isReachable: isReachable && depth > 0 };
  for (const property of mapValues(schema.properties)) {
    yield* listSubschemas(property, depth + 1, isReachable);
  }
  const others = otherSubschemas.flatMap((key) => schema[key] ?? []);
  const mapped = otherSubschemaMaps.flatMap((key) => mapValues(schema[key]));
  for (const other of [...others, ...mapped]) yield* listSubschemas(other, depth + 1, false);
}

function mapValues(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

function* listDeclarations(schema: unknown, path: string[]): Generator<Declaration> {
  if (!isObject(schema) || path.length > maxDepth) return;
  const header = schema['x-mcp-header'];
  if (path.length > 0 && typeof header === 'string' && httpToken.test(header)) {
    yield { header, path };
  }
  if (!isObject(schema.properties)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    yield* listDeclarations(property, [...path, name]);
  }
}

function getValueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** Numbers beyond the safe integers would not be the ones in the body: the protocol rules them out. */
function formatHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

const encodedStart = '=?base64?';
const encodedEnd = '?=';

/** A value of a message as an HTTP header may carry it (MCP 2026-07-28, "Value Encoding"). */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  // What only looks encoded would be decoded by the server.
  const looksEncoded = text.startsWith(encodedStart) && text.endsWith(encodedEnd);
  if (isPlain && !looksEncoded) return text;
  return encodedStart + Buffer.from(text, 'utf8').toString('base64') + encodedEnd;
}

/** What a header says, if it was encoded. */
export function decodeHeaderValue(value: string): string {
  if (!value.startsWith(encodedStart) || !value.endsWith(encodedEnd)) return value;
  const encoded = value.slice(encodedStart.length, -encodedEnd.length);
  return Buffer.from(encoded, 'base64').toString('utf8');
}
