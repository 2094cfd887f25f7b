import { join } from 'node:path';
import { describeEval } from './describe-eval.js';

const { AGENT: agent } = process.env;

await describeEval(join(import.meta.dirname, '../quickstart/eval.yaml'), { agent });
