import type { Environment } from '../config/environment-expansion.js';
import type { Secrets } from '../config/secrets.js';
import { secretsOf } from '../config/secrets-of.js';
import type { Suite } from './suite.js';

/** Everything in a suite that must not be seen. */
export function secretsOfSuite(suite: Suite, environment: Environment): Secrets {
  const { mcp, agentFile, judgeFile, tasks } = suite;
  const { llmJudge, extensions } = suite.eval.data.config;
  return secretsOf(
    {
      mcp,
      agents: [agentFile, judgeFile].flatMap((file) => (file ? [file.data] : [])),
      judge: llmJudge,
      extensions,
      steps: tasks.flatMap(({ task }) => task.steps),
    },
    environment,
  );
}
