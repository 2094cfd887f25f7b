import * as z from 'zod/mini';
import { rulesOf } from './schemas/schema-rules.js';

/**
 * Whether a value surely has the shape of a schema and follows its rules. Most values do, and for them this
 * is all there is to do: zod makes a copy of what it parses and looks at every key that could be there, this
 * only looks at those that are. Where it says no, zod is asked what is wrong, if anything is.
 */
export function conforms(schema: z.core.$ZodType, value: unknown): boolean {
  return testOf(schema)(value);
}

type Test = (value: unknown) => boolean;

const tests = new WeakMap<z.core.$ZodType, Test>();

function testOf(schema: z.core.$ZodType): Test {
  let test = tests.get(schema);
  if (!test) {
    test = makeTest(schema);
    tests.set(schema, test);
  }
  return test;
}

/** The types that our schemas are made of; for the others zod is asked. */
type Known =
  | z.core.$ZodObject
  | z.core.$ZodArray
  | z.core.$ZodRecord
  | z.core.$ZodOptional
  | z.core.$ZodString
  | z.core.$ZodUnknown;

function makeTest(schema: z.core.$ZodType): Test {
  const { def } = (schema as Known)._zod;
  switch (def.type) {
    case 'optional': {
      const isRight = testOf(def.innerType);
      return (value) => value === undefined || isRight(value);
    }
    case 'unknown':
      return () => true;
    case 'string':
      return withChecks(def, (value) => typeof value === 'string');
    case 'object':
      return withChecks(def, testOfObject(schema, def));
    case 'array':
      return withChecks(def, testOfArray(def));
    case 'record':
      return withChecks(def, testOfRecord(def));
    default:
      return (value) => z.core.safeParse(schema, value).success;
  }
}

function withChecks({ checks }: z.core.$ZodTypeDef, isRight: Test): Test {
  if (!checks) return isRight;
  return (value) => {
    if (!isRight(value)) return false;
    const payload = { value: value as never, issues: [] };
    for (const check of checks) check._zod.check(payload);
    return payload.issues.length === 0;
  };
}

function testOfObject(schema: z.core.$ZodType, { shape, catchall }: z.core.$ZodObjectDef): Test {
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.def.type !== 'optional');
  const { exactlyOne } = rulesOf(schema);
  return (value) => {
    if (!isMap(value)) return false;
    for (const key of Object.keys(value)) {
      const child = Object.hasOwn(shape, key) ? shape[key] : catchall;
      if (child && !testOf(child)(value[key])) return false;
    }
    for (const key of required) if (value[key] === undefined) return false;
    return !exactlyOne || exactlyOne.filter((key) => value[key] !== undefined).length === 1;
  };
}

function testOfArray({ element }: z.core.$ZodArrayDef): Test {
  const isRight = testOf(element);
  return (value) => Array.isArray(value) && value.every((item) => isRight(item));
}

function testOfRecord({ keyType, valueType }: z.core.$ZodRecordDef): Test {
  const isKey = testOf(keyType);
  const isRight = testOf(valueType);
  return (value) =>
    isMap(value) && Object.keys(value).every((key) => isKey(key) && isRight(value[key]));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
