import { assertionsWith } from '../../config/files/assertion-items.js';
import type { Problems } from '../../config/problems/problem.js';
import {
  type Assertions,
  findAssertion,
  isVacuous,
} from '../../config/schemas/assertions-schema.js';
import type { Suite } from '../suite.js';

/** A task that nothing checks would always pass; one that only forbids passes without an agent. */
export function checkCoverage(suite: Suite, problems: Problems): void {
  const { tasks } = suite;
  const { source, data } = suite.eval;
  const vacuous = listVacuousWithoutServers(suite);
  for (const { definition: task, assertions, sets } of tasks) {
    const judged = task.steps.find((step) => step.type === 'llmJudge');
    if (judged && !data.config.llmJudge && !source.isFaulty(['config', 'llmJudge'])) {
      const message = 'this needs an LLM judge, and the eval configures none';
      const hint = 'add config.llmJudge to the eval';
      problems.atKey(task.source, judged.path, 'missing-judge', message, hint);
    }
    const verified = task.steps.some((step) => step.phase === 'verify');
    if (verified || assertions.some(({ data }) => requiresCalls(data))) continue;
    const covered = assertions.some(({ data }) => canFail(data, vacuous));
    // What should have checked it is there, but wrong.
    if (mayBeChecks.some((path) => task.source.isFaulty(path))) continue;
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

const mayBeChecks = [
  ['spec', 'verify'],
  ['steps', 'verify'],
  ['spec', 'assertions'],
  ['steps', 'assertions'],
  ['assertions'],
];

/** Assertions that are vacuous because there is no server, so that nothing can be called. */
function listVacuousWithoutServers({ mcp, mcpUnknown }: Suite): ReadonlySet<string> {
  const hasServers = mcpUnknown || (mcp?.servers.length ?? 0) > 0;
  return new Set(hasServers ? [] : assertionsWith('holdsWithoutServers'));
}

/** Whether an assertion holds only after some call: all others hold when the agent does nothing. */
function requiresCalls(assertions: Assertions): boolean {
  return listNotVacuous(assertions).some((name) => findAssertion(name)?.requiresCalls);
}

/** Whether there is an assertion that fails after some calls. */
function canFail(assertions: Assertions, vacuous: ReadonlySet<string>): boolean {
  return listNotVacuous(assertions).some((name) => !vacuous.has(name));
}

/** Names of the assertions that are not vacuous. */
function listNotVacuous(assertions: Assertions): string[] {
  return Object.entries(assertions).flatMap(([name, value]) =>
    value === undefined || isVacuous(name, value) ? [] : [name],
  );
}
