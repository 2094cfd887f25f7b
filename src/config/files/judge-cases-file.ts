import * as z from 'zod/mini';
import type { Problems } from '../problems/problem.js';
import { checkShape, describeValue } from '../problems/shape-check.js';
import { addDescription, nonEmptyText, optional, text } from '../schemas/fields.js';
import { readDataFile } from '../yaml/data-file.js';
import type { SourceFile } from '../yaml/source-file.js';

const caseSchema = addDescription(
  z.strictObject({
    name: optional(nonEmptyText(), 'Name of the case. By default, its number.', {
      examples: ['names-another-city'],
    }),
    prompt: addDescription(nonEmptyText(), 'What an agent was asked to do.', {
      examples: ['What is the capital of France?'],
    }),
    answer: addDescription(text(), 'What it answered. May be empty: some agents say nothing.', {
      examples: ['It is Lyon.'],
    }),
    reference: addDescription(nonEmptyText(), 'What the answer is compared with.', {
      examples: ['Paris is the capital of France'],
    }),
    mode: addDescription(
      z.enum(['contains', 'exact', 'rubric']),
      'How it is compared with the reference, as in an `llmJudge` step.',
    ),
    expected: addDescription(
      z.literal(['pass', 'fail', 'passed', 'failed', true, false]),
      'The verdict that a good judge gives.',
      { examples: ['fail'] },
    ),
  }),
  'An answer, and whether it is right.',
  { id: 'judgeCase' },
);

export const judgeCasesSchema = addDescription(
  z.array(caseSchema).check(z.minLength(1)),
  'Labelled answers that a judge is measured against.',
);

type JudgeCaseData = z.infer<typeof caseSchema>;

/** An answer of which people know whether it is right. */
export interface JudgeCase {
  /** Its own, or its number. */
  name: string;
  /** In the file. */
  line: number;
  mode: JudgeCaseData['mode'];
  prompt: string;
  answer: string;
  reference: string;
  /** Whether a good judge lets it pass. */
  expected: boolean;
}

/** Reads the cases that a judge is measured with; undefined if a problem leaves nothing to ask. */
export function readJudgeCases(path: string, problems: Problems): JudgeCase[] | undefined {
  const file = readDataFile(path, problems);
  if (!file) return undefined;
  const { source, data: value } = file;
  if (!Array.isArray(value)) {
    const hint = 'write each case as an item that begins with "- "';
    const message = `expected a list of cases, found ${describeValue(value)}`;
    problems.atValue(source, [], 'wrong-type', message, hint);
    return undefined;
  }
  if (value.length === 0) {
    problems.atValue(source, [], 'empty-list', 'there is no case: nothing would be measured');
    return undefined;
  }
  const data = checkShape({ file: source, schema: judgeCasesSchema, value, problems });
  if (!data || problems.report().errors > 0) return undefined;
  const cases = data.map((item, index) => makeCase(source, item, index));
  checkLabels(source, cases, problems);
  return cases;
}

function makeCase(source: SourceFile, data: JudgeCaseData, index: number): JudgeCase {
  const { name = `case ${index + 1}`, mode, prompt, answer, reference, expected } = data;
  const { line } = source.position(source.keyRange([index]).start);
  return { name, line, mode, prompt, answer, reference, expected: passingLabels.has(expected) };
}

const passingLabels: ReadonlySet<JudgeCaseData['expected']> = new Set(['pass', 'passed', true]);

/** A judge that says the same of everything would look perfect. */
function checkLabels(source: SourceFile, cases: readonly JudgeCase[], problems: Problems): void {
  const [first] = cases;
  if (!first || cases.some(({ expected }) => expected !== first.expected)) return;
  const [all, none] = first.expected ? ['pass', 'fail'] : ['fail', 'pass'];
  const message = `every case is expected to ${all}: whether the judge notices others is not measured`;
  problems.atValue(source, [0, 'expected'], 'one-sided-cases', message, `add some that ${none}`);
}
