import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Results {
  finished: boolean;
  interrupted: boolean;
  resumed: number;
  options: Record<string, unknown>;
  totals: { planned: number; notRun: number };
  taskRuns: {
    task: string;
    variant: string | null;
    run: number;
    attempt: number;
    outcome: string;
  }[];
}

const schema = path.resolve(import.meta.dirname, '../../schemas/results.schema.json');
const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schema, 'utf8')));

/** Throws unless the file is as its schema says. */
export function readResults(file: string): Results {
  const results: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!validate(results)) throw new Error(JSON.stringify(validate.errors, null, 2));
  return results as Results;
}
