import type { JsonSchema } from '../../src/config/schemas/json-schema.js';
import { jsonSchemaOf, type SchemaKind } from '../../src/results/schema/json-schemas.js';
import { anchor, code, codeBlock, generatedNote, table } from './markdown.js';
import { pages } from './pages.js';

/** The reference pages of the file kinds, by their path. */
export function filesReference(): Record<string, string> {
  return Object.fromEntries(
    pages.map((page) => {
      const schema = jsonSchemaOf(page.kind);
      const writer = new PageWriter(page.kind);
      const parts = page.definitions
        ? page.definitions.map((name) => [name, schema.$defs?.[name]] as const)
        : ([[page.title, schema]] as const);
      const text = [
        generatedNote,
        `# ${page.title}\n`,
        `${page.introduction.trim()}\n`,
        ...(page.example ? [codeBlock('yaml', page.example)] : []),
        ...parts.flatMap(([name, part], index) => [
          ...(index > 0 ? [`## ${definitionTitles[name]}\n`] : []),
          ...writer.sections(name, part as JsonSchema),
        ]),
        ...(page.closing ? [`${page.closing.trim()}\n`] : []),
      ].join('\n');
      return [`docs/reference/${page.file}`, text];
    }),
  );
}

/** Definitions that only have a heading on the page of another. */
const definitionTitles: Record<string, string> = {
  toolItem: 'Tool items',
  forbiddenToolItem: 'Forbidden tool items',
  callResult: 'Results of calls',
  resourceItem: 'Resource items',
  promptItem: 'Prompt items',
  callOrderItem: 'Call order items',
  skillItem: 'Skill items',
  mcpToolStep: 'MCP tool steps',
};

function definitionLink(name: string): string {
  const page = pages.find(({ definitions }) => definitions?.includes(name));
  if (!page) throw new Error(`no page describes ${name}`);
  const title = definitionTitles[name];
  return title ? `${page.file}#${anchor(title)}` : page.file;
}

class PageWriter {
  readonly #kind: SchemaKind;

  constructor(kind: SchemaKind) {
    this.#kind = kind;
  }

  /** A section for an object and one for each object in it. */
  sections(name: string, schema: JsonSchema): string[] {
    if (schema.anyOf && !schema.properties) {
      return (schema.anyOf as JsonSchema[]).flatMap((shape) => {
        const title = shape.properties?.spec ? 'With spec' : 'With steps';
        return [`## ${title}\n`, `${shape.description}\n`, ...this.#object(title, shape, '')];
      });
    }
    return this.#object(name, schema, '');
  }

  #object(title: string, schema: JsonSchema, prefix: string): string[] {
    const properties = Object.entries(schema.properties ?? {}).map(
      ([key, property]) => [key, withoutNull(property as JsonSchema)] as [string, JsonSchema],
    );
    const rows = properties.map(([key, property]) => this.#row(key, property, schema, prefix));
    for (const description of Object.values(schema.patternProperties ?? {})) {
      const text = (description as JsonSchema).description ?? '';
      rows.push([code('<prefix>.<name>'), 'map', '', text, code('{}')]);
    }
    const heading = prefix === '' ? [] : [`### ${prefix}\n`, `${schema.description ?? title}\n`];
    const alternatives = (schema.oneOf ?? []) as JsonSchema[];
    const keys = alternatives.flatMap((each) => each.required ?? []);
    const rule =
      keys.length > 1 ? [`Exactly one of ${keys.map(code).join(', ')} must be given.\n`] : [];
    const fields = ['Field', 'Type', 'Required or default', 'Meaning', 'Example'];
    return [...heading, ...rule, table(fields, rows), ...this.#nested(properties, prefix)];
  }

  #nested(properties: readonly [string, JsonSchema][], prefix: string): string[] {
    return properties.flatMap(([key, property]) => {
      const found = innerObject(property);
      if (!found || found.schema.$ref) return [];
      const name = `${prefix === '' ? '' : `${prefix}.`}${key}${found.suffix}`;
      const described = { description: property.description, ...found.schema } as JsonSchema;
      return this.#object(key, described, name);
    });
  }

  #row(key: string, property: JsonSchema, owner: JsonSchema, prefix: string): string[] {
    const required = owner.required?.includes(key)
      ? 'required'
      : property.default === undefined
        ? ''
        : code(JSON.stringify(property.default));
    const path = `${prefix === '' ? '' : `${prefix}.`}${key}`;
    return [
      code(key),
      property.nullable ? `${this.#type(property, path)} or null` : this.#type(property, path),
      required,
      property.description ?? '',
      this.#example(path, property),
    ];
  }

  #type(property: JsonSchema, path: string): string {
    const reference = referenceName(property);
    if (reference) return `[map](${definitionLink(reference)})`;
    const inner = innerObject(property);
    if (inner) {
      const target = inner.schema.$ref ? referenceName(inner.schema) : undefined;
      const link = target ? definitionLink(target) : `#${anchor(`${path}${inner.suffix}`)}`;
      return `[${inner.type}](${link})`;
    }
    const choices = (property.enum ??
      (property.const === undefined ? [] : [property.const])) as unknown[];
    if (choices.length > 0) return choices.map((choice) => code(String(choice))).join(', ');
    return typeName(property);
  }

  /** Every field has an example: one of its own, or one that its type gives. */
  #example(path: string, property: JsonSchema): string {
    const [example] = (property.examples ?? []) as unknown[];
    const given = example === undefined ? property.const : example;
    // What differs from the default says more.
    if (property.type === 'boolean' && given === undefined)
      return code(String(property.default !== true));
    const value = given === undefined ? (property.enum?.[0] ?? property.default) : given;
    if (value !== undefined) return code(flow(value));
    if (innerObject(property) || referenceName(property)) return 'see there';
    throw new Error(`${this.#kind}: ${path} has no example`);
  }
}

/** What a field is that may be null as well. */
function withoutNull(property: JsonSchema): JsonSchema {
  if (Array.isArray(property.type) && property.type.length === 2) {
    const type = property.type.find((each) => each !== 'null');
    if (type !== undefined) return { ...property, type, nullable: true };
  }
  const shapes = (property.anyOf ?? []) as JsonSchema[];
  const [shape, ...others] = shapes.filter(({ type }) => type !== 'null');
  if (!shape || others.length > 0 || shapes.length !== 2) return property;
  const { anyOf: _, ...rest } = property;
  return { ...shape, ...rest, nullable: true };
}

function referenceName(schema: JsonSchema): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.replace('#/$defs/', '') : undefined;
}

interface Inner {
  schema: JsonSchema;
  suffix: string;
  type: string;
}

/** The object within a field: itself, or the items of a list or a map of them. */
function innerObject(schema: JsonSchema): Inner | undefined {
  if (schema.properties) return { schema, suffix: '', type: 'map' };
  const items = schema.items as JsonSchema | undefined;
  if (items?.properties || items?.$ref) return { schema: items, suffix: '[]', type: 'list' };
  const values = schema.additionalProperties as JsonSchema | undefined;
  if (values && typeof values === 'object' && values.properties) {
    return { schema: values, suffix: '.<name>', type: 'map by name' };
  }
  return undefined;
}

function typeName(schema: JsonSchema): string {
  switch (schema.type) {
    case 'string':
      return schema.format === 'duration'
        ? 'duration'
        : schema.format === 'regex'
          ? 'pattern'
          : 'text';
    case 'integer':
      return 'whole number';
    case 'number':
      return 'number';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `list of ${typeName((schema.items ?? {}) as JsonSchema)}`;
    case 'object': {
      const values = schema.additionalProperties as JsonSchema | undefined;
      return values && Object.keys(values).length > 0 ? `map of ${typeName(values)}` : 'map';
    }
    default:
      return 'any value';
  }
}

/** Flow YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${key}: ${flow(item)}`);
    return `{${entries.join(', ')}}`;
  }
  if (typeof value !== 'string') return String(value);
  return /^[\w./@-][\w./@: -]*$/.test(value) && !/[:#] |:$/.test(value)
    ? value
    : JSON.stringify(value);
}
