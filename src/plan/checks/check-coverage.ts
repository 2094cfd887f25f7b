import type { Problems } from '../../config/problems/problem.js';
import {
  type Assertions,
  findAssertion,
  isVacuous,
} from '../../config/schemas/assertions-schema.js';
import type { Suite } from '../suite.js';

/** A task that nothing checks would always pass; one that only forbids passes without an agent. */
export function checkCoverage(suite: Suite, problems: Problems): void {
  const { tasks, mcp, mcpUnknown } = suite;
  const { source, data } = suite.eval;
  const hasServers = mcpUnknown || (mcp?.servers.length ?? 0) > 0;
  for (const { definition: task, assertions, sets } of tasks) {
    const judged = task.steps.find((step) => step.type === 'llmJudge');
    if (judged && !data.config.llmJudge && !source.isFaulty(['config', 'llmJudge'])) {
      const message = 'this needs an LLM judge, and the eval configures none';
      const hint = 'add config.llmJudge to the eval';
      problems.atKey(task.source, judged.path, 'missing-judge', message, hint);
    }
    const verified = task.steps.some((step) => step.phase === 'verify');
    if (verified || assertions.some(({ data }) => requiresCalls(data))) continue;
    const covered = assertions.some(({ data }) => canFail(data, hasServers));
    // The task has checks with a mistake in them, which is reported elsewhere.
    if (checkPaths.some((path) => task.source.isFaulty(path))) continue;
    if (sets.some((path) => source.isFaulty([...path, 'assertions']))) continue;
    const [code, message] = covered
      ? ([
          'passes-without-agent',
          `the task ${task.name} passes if the agent does nothing`,
        ] as const)
      : ([
          'nothing-checked',
          `nothing verifies the task ${task.name} and no assertion covers it`,
        ] as const);
    const hint = 'add a step to verify, or an assertion on what the agent has to call';
    problems.atValue(task.source, ['metadata', 'name'], code, message, hint);
  }
}

/** Where the checks of a task can be written. */
const checkPaths = [
  ['spec', 'verify'],
  ['steps', 'verify'],
  ['spec', 'assertions'],
  ['steps', 'assertions'],
  ['assertions'],
];

/** Whether an assertion holds only after some call: all others hold when the agent does nothing. */
function requiresCalls(assertions: Assertions): boolean {
  return listNotVacuous(assertions).some((name) => findAssertion(name)?.requiresCalls);
}

/** Whether some assertion can fail: without servers nothing can be called, and many always hold. */
function canFail(assertions: Assertions, hasServers: boolean): boolean {
  return listNotVacuous(assertions).some(
    (name) => hasServers || !findAssertion(name)?.holdsWithoutServers,
  );
}

/** Names of the assertions that are not vacuous. */
function listNotVacuous(assertions: Assertions): string[] {
  return Object.entries(assertions).flatMap(([name, value]) =>
    value === undefined || isVacuous(name, value) ? [] : [name],
  );
}
