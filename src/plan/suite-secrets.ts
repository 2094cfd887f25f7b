import type { Environment } from '../config/placeholders/environment-variables.js';
import type { Secrets } from '../config/secrets/secrets.js';
import { collectSecrets } from '../config/secrets/suite-secrets.js';
import type { Suite } from './suite.js';

/** Everything in a suite, and in its other variants, that must not be seen. */
export function secretsOfSuite(
  suite: Suite,
  environment: Environment,
  variants: readonly Suite[] = [suite],
): Secrets {
  const { judgeFile, tasks } = suite;
  const { llmJudge, extensions, redact } = suite.eval.data.config;
  const agentFiles = new Set(variants.map(({ agentFile }) => agentFile));
  return collectSecrets(
    {
      mcpConfigs: [...new Set(variants.flatMap(({ mcp }) => mcp ?? []))],
      agents: [...agentFiles, judgeFile].flatMap((file) => (file ? [file.data] : [])),
      judge: llmJudge,
      extensions,
      redact,
      names: namesIn(suite, variants),
      steps: tasks.flatMap(({ task }) => task.steps),
    },
    environment,
  );
}

/** What results go by. */
function namesIn(suite: Suite, variants: readonly Suite[]): string[] {
  const servers = variants.flatMap(({ mcp }) => mcp?.servers ?? []);
  return [
    suite.eval.data.metadata.name,
    ...suite.tasks.map(({ task }) => task.name),
    ...servers.map(({ name }) => name),
    ...variants.flatMap(({ variant }) => variant?.name ?? []),
  ];
}
