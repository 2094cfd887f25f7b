import { checkShape, shown } from './check-shape.js';
import type { Problems } from './problem.js';
import { readDataFile } from './read-data-file.js';
import { type JudgeCaseData, judgeCasesSchema } from './schemas/judge-cases-schema.js';
import type { SourceFile } from './source-file.js';

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
    const message = `expected a list of cases, found ${shown(value)}`;
    problems.atValue(source, [], 'wrong-type', message, hint);
    return undefined;
  }
  if (value.length === 0) {
    problems.atValue(source, [], 'empty-list', 'there is no case: nothing would be measured');
    return undefined;
  }
  const data = checkShape({ file: source, schema: judgeCasesSchema, value, problems });
  if (!data || problems.report().errors > 0) return undefined;
  const cases = data.map((each, index) => caseOf(source, each, index));
  checkLabels(source, cases, problems);
  return cases;
}

function caseOf(source: SourceFile, data: JudgeCaseData, index: number): JudgeCase {
  const { name = `case ${index + 1}`, mode, prompt, answer, reference, expected } = data;
  const { line } = source.position(source.keyRange([index]).start);
  return { name, line, mode, prompt, answer, reference, expected: passes.has(expected) };
}

const passes: ReadonlySet<JudgeCaseData['expected']> = new Set(['pass', 'passed', true]);

/** A judge that says the same of everything would look perfect. */
function checkLabels(source: SourceFile, cases: readonly JudgeCase[], problems: Problems): void {
  const [first] = cases;
  if (!first || cases.some(({ expected }) => expected !== first.expected)) return;
  const [all, none] = first.expected ? ['pass', 'fail'] : ['fail', 'pass'];
  const message = `every case is expected to ${all}: whether the judge notices others is not measured`;
  problems.atValue(source, [0, 'expected'], 'one-sided-cases', message, `add some that ${none}`);
}
