import type { Options } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { errorMessage } from '../base/errors.js';
import { isObject, stringifyBounded } from '../base/json.js';
import { truncate } from '../base/text.js';
import { compilePattern } from '../config/patterns/pattern.js';
import { flawOf } from './argument-flaw.js';

/** What is wrong with arguments, in sentences. */
export type ArgumentCheck = (args: unknown) => string[];

/** In characters of JSON. */
const maxSchemaLength = 256 * 1024;
const maxSentenceLength = 300;
const maxFlaws = 20;

/** The part of the validator that we use: the classes of its dialects differ otherwise. */
type Validator = Pick<Ajv2020, 'compile'>;

const dialect = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07|draft-06)\/schema#?$/;

/** Makes checks of schemas. The validator is large, and most runs need none. */
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

  /** A schema that cannot be used lets nothing pass: it may have asked for anything. */
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
    if (typeof schema !== 'boolean' && !isObject(schema)) throw new Error('it is no JSON Schema');
    if (stringifyBounded(schema, maxSchemaLength) === undefined) {
      throw new Error(`it is longer than ${maxSchemaLength / 1024} KiB, or nested too deep`);
    }
    const validate = this.#validatorFor(schema).compile(withoutDialect(schema));
    if ('$async' in validate) throw new Error('it is asynchronous');
    return (args) => {
      if (validate(args)) return [];
      const errors = validate.errors ?? [];
      const flaws = [...new Set(errors.slice(0, maxFlaws).map(flawOf))];
      const more = errors.length - maxFlaws;
      return more > 0 ? [...flaws, `and ${more} more`] : flaws;
    };
  }

  #validatorFor(schema: object | boolean): Validator {
    if (typeof schema === 'boolean' || !('$schema' in schema)) return this.#latest;
    const { $schema } = schema;
    const known = typeof $schema === 'string' ? dialect.exec($schema)?.[1] : undefined;
    if (known === undefined) {
      const named = stringifyBounded($schema, maxSentenceLength) ?? 'too long to be told';
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
  // One schema must not be found by another one, nor stand in its way.
  addUsedSchema: false,
  code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
};

/** As everywhere, and as in the Go host: whoever wrote the pattern, matching takes linear time. */
function linearPattern(source: string) {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(`the pattern ${source} is not RE2: ${compiled.reason}`);
  const { pattern } = compiled;
  // By its text, the validator tells one pattern from another.
  return { test: (text: string) => pattern.test(text), toString: () => source };
}

/** What is known of it decides which validator it gets, and draft-06 has none of its own. */
function withoutDialect(
  schema: Record<string, unknown> | boolean,
): Record<string, unknown> | boolean {
  if (typeof schema === 'boolean') return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}
