import type { ErrorObject, Options } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { errorMessage } from '../base/errors.js';
import { isObject, stringifyIfShort } from '../base/json.js';
import { didYouMean } from '../base/nearest.js';
import { truncate } from '../base/text.js';
import { compilePattern } from '../config/patterns/pattern.js';
import type { ExtensionManifest } from './extension-definition.js';

/** Returns what is wrong with arguments, in sentences. */
export type ArgumentCheck = (args: unknown) => string[];

/** Longest schema, in characters of JSON. */
const maxSchemaLength = 256 * 1024;
const maxSentenceLength = 300;
const maxFlaws = 20;

/** The part of the validator that is used here: the classes of its dialects differ otherwise. */
type Validator = Pick<Ajv2020, 'compile'>;

const dialect = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07|draft-06)\/schema#?$/;

/** Creates checks from schemas. The validator is loaded on demand: it is large, and most runs need none. */
export class ArgumentChecks {
  readonly #latest: Validator;
  readonly #draft7: Validator;

  private constructor(latest: Validator, draft7: Validator) {
    this.#latest = latest;
    this.#draft7 = draft7;
  }

  static async load(): Promise<ArgumentChecks> {
    const [{ Ajv2020 }, { Ajv }] = await Promise.all([
      import('ajv/dist/2020.js'),
      import('ajv/dist/ajv.js'),
    ]);
    return new ArgumentChecks(new Ajv2020(options), new Ajv(options));
  }

  /** Creates the check for a schema. One that cannot be used refuses all arguments. */
  for(schema: unknown): ArgumentCheck {
    let check: ArgumentCheck | undefined;
    return (args) => {
      try {
        check ??= this.#compiled(schema);
        return check(args);
      } catch (error) {
        const reason = errorMessage(error);
        const sentence = `the schema of its arguments cannot be used: ${reason}`;
        return [truncate(sentence, maxSentenceLength)];
      }
    };
  }

  #compiled(schema: unknown): ArgumentCheck {
    if (typeof schema !== 'boolean' && !isObject(schema))
      throw new Error('it is not a JSON Schema');
    if (stringifyIfShort(schema, maxSchemaLength) === undefined) {
      throw new Error(`it is longer than ${maxSchemaLength / 1024} KiB, or nested too deep`);
    }
    const validate = this.#validatorFor(schema).compile(removeDialect(schema));
    if ('$async' in validate) throw new Error('it is asynchronous');
    return (args) => {
      if (validate(args)) return [];
      const errors = validate.errors ?? [];
      const flaws = [...new Set(errors.slice(0, maxFlaws).map(describeArgumentFlaw))];
      const more = errors.length - maxFlaws;
      return more > 0 ? [...flaws, `and ${more} more`] : flaws;
    };
  }

  #validatorFor(schema: object | boolean): Validator {
    if (typeof schema === 'boolean' || !('$schema' in schema)) return this.#latest;
    const { $schema } = schema;
    const known = typeof $schema === 'string' ? dialect.exec($schema)?.[1] : undefined;
    if (known === undefined) {
      const named = stringifyIfShort($schema, maxSentenceLength) ?? 'too long to be shown';
      throw new Error(`its $schema is ${named}; 2020-12, draft-07 and draft-06 are supported`);
    }
    return known === 'draft/2020-12' ? this.#latest : this.#draft7;
  }
}

const options: Options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  // Schemas must not refer to each other, nor clash by their ids.
  addUsedSchema: false,
  code: { regExp: Object.assign(compileLinearPattern, { code: 'linearPattern' }) },
};

/** Patterns match in linear time, as everywhere in Proctor and in the Go host. */
function compileLinearPattern(source: string) {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(`the pattern ${source} is not RE2: ${compiled.reason}`);
  const { pattern } = compiled;
  // The validator distinguishes patterns by their text.
  return { test: (text: string) => pattern.test(text), toString: () => source };
}

/** Removes `$schema` after it has decided the validator; there is none for draft-06. */
function removeDialect(
  schema: Record<string, unknown> | boolean,
): Record<string, unknown> | boolean {
  if (typeof schema === 'boolean') return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** In characters. */
const maxFlawLength = 500;
const maxValuesLength = 300;

/** Describes an error of the validator in plain words: `metadata.name: must be string`. */
function describeArgumentFlaw({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = instancePath.split('/').slice(1).map(unescapePointer);
  const surplus = params.additionalProperty ?? params.unevaluatedProperty;
  if (keyword === 'required')
    return formatFlaw([...place, String(params.missingProperty)], 'is missing');
  if (typeof surplus === 'string')
    return formatFlaw([...place, surplus], 'is not a known argument');
  return formatFlaw(
    place,
    describeExpected(keyword, params) ?? message ?? `does not satisfy ${keyword}`,
  );
}

function describeExpected(keyword: string, params: Record<string, unknown>): string | undefined {
  const values = keyword === 'enum' ? params.allowedValues : params.allowedValue;
  if (keyword === 'const')
    return `must be ${stringifyIfShort(values, maxValuesLength) ?? 'one certain value'}`;
  if (keyword !== 'enum') return undefined;
  const list = stringifyIfShort(values, maxValuesLength);
  return list === undefined
    ? 'must be one of certain values'
    : `must be one of ${list.slice(1, -1)}`;
}

function formatFlaw(place: readonly string[], flaw: string): string {
  const path = place
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
  return truncate(path === '' ? flaw : `${path}: ${flaw}`, maxFlawLength);
}

/** Unescapes a key of a JSON pointer. */
function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Checks requests against the manifest before they are sent. */
export class OperationChecks {
  readonly #manifest: ExtensionManifest;
  /** Undefined: no operation has a schema of its arguments. */
  readonly #arguments: ArgumentChecks | undefined;
  readonly #byOperation = new Map<string, ArgumentCheck>();

  private constructor(manifest: ExtensionManifest, checks: ArgumentChecks | undefined) {
    this.#manifest = manifest;
    this.#arguments = checks;
  }

  static async create(manifest: ExtensionManifest): Promise<OperationChecks> {
    const isAnyDescribed = [...manifest.operations.values()].some(({ params }) => isSchema(params));
    return new OperationChecks(manifest, isAnyDescribed ? await ArgumentChecks.load() : undefined);
  }

  /** Finds what is wrong with a request, in sentences. */
  flawsOf(operation: string, args: unknown): string[] {
    const known = this.#manifest.operations.get(operation);
    if (!known) {
      const hint = didYouMean(operation, this.#manifest.operations.keys());
      return [`there is no operation ${operation}${hint === undefined ? '' : `: ${hint}`}`];
    }
    const check = this.#byOperation.get(operation) ?? this.#checkFor(known.params);
    this.#byOperation.set(operation, check);
    return check(args);
  }

  #checkFor(params: unknown): ArgumentCheck {
    return this.#arguments && isSchema(params) ? this.#arguments.for(params) : () => [];
  }
}

/** Whether arguments are described. The Go kit writes `true` for arguments without a schema. */
function isSchema(params: unknown): boolean {
  return params !== undefined && params !== true;
}
