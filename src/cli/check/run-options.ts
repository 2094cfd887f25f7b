import type { Bundle } from '../../queue/bundle/bundle.js';
import type { RunOptions } from '../../queue/queue-run.js';
import type { CheckOptions } from '../check-options.js';

/** The options that workers need to make the same of the suite, with paths as they find them. */
export async function runOptionsOf(
  { suite, plan, control, strict }: CheckOptions,
  bundle: Bundle,
): Promise<RunOptions> {
  const { agents, models, mcpConfigFiles, pricesFile } = suite;
  const { runs, autoRuns } = plan;
  const { taskTimeout, defaultTaskTimeout, cleanupTimeout, defaultCleanupTimeout } = plan;
  const placeOf = async (path: string) => (await bundle.placeOf(path)) ?? path;
  return {
    control,
    strict,
    ...(agents && {
      agents: await Promise.all(
        agents.map(async ({ written, value: { type, path } }) => ({
          written,
          ...(type !== undefined && { type }),
          ...(path !== undefined && { path: await placeOf(path) }),
        })),
      ),
    }),
    ...(models && { models }),
    ...(mcpConfigFiles && {
      mcpConfigFiles: await Promise.all(
        mcpConfigFiles.map(async ({ written, value }) => ({ written, path: await placeOf(value) })),
      ),
    }),
    ...(pricesFile !== undefined && { pricesFile: await placeOf(pricesFile) }),
    ...(runs !== undefined && { runs }),
    ...(autoRuns && { autoRuns }),
    ...(taskTimeout !== undefined && { taskTimeout }),
    ...(defaultTaskTimeout !== undefined && { defaultTaskTimeout }),
    ...(cleanupTimeout !== undefined && { cleanupTimeout }),
    ...(defaultCleanupTimeout !== undefined && { defaultCleanupTimeout }),
  };
}
