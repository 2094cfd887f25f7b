import { join } from 'node:path';
import { defined } from '../base/defined.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import type { RunsRule } from '../plan/enough-runs.js';
import type { SuiteOptions } from '../plan/suite.js';
import { selectTravelling, type TravellingOptions } from '../run/session/check-option-table.js';
import type { ResolvedOptions } from '../run/session/check-options.js';

/** The options of a check that decide what task runs do, as workers get them. Paths are from the root of the bundle. */
export interface RunOptions extends TravellingOptions {
  agents?: readonly { written: string; type?: string; path?: string }[];
  models?: readonly string[];
  mcpConfigFiles?: readonly { written: string; path: string }[];
  pricesFile?: string;
  runs?: number;
  autoRuns?: RunsRule;
}

/** Selects the options that workers need. `placeOf` gives the path of a file in the bundle. */
export async function packRunOptions(
  options: ResolvedOptions,
  placeOf: (path: string) => Promise<string | undefined>,
): Promise<RunOptions> {
  const { agents, models, mcpConfigFiles, pricesFile } = options.suite;
  const { runs, autoRuns } = options.plan;
  const place = async (path: string) => (await placeOf(path)) ?? path;
  return defined({
    ...selectTravelling(options),
    agents:
      agents &&
      (await Promise.all(
        agents.map(async ({ written, value: { type, path } }) =>
          defined({ written, type, path: path && (await place(path)) }),
        ),
      )),
    models,
    mcpConfigFiles:
      mcpConfigFiles &&
      (await Promise.all(
        mcpConfigFiles.map(async ({ written, value }) => ({ written, path: await place(value) })),
      )),
    pricesFile: pricesFile && (await place(pricesFile)),
    runs,
    autoRuns,
  });
}

/** Makes the options to load a suite whose bundle is in that folder. */
export function unpackSuiteOptions(
  { agents, models, mcpConfigFiles, pricesFile }: RunOptions,
  folder: string,
  environment: NodeJS.ProcessEnv,
): SuiteOptions {
  return {
    environment,
    agents: agents?.map(({ written, type, path }) => ({
      written,
      value: defined({ type, path: path && join(folder, path) }) as AgentReference,
    })),
    models,
    mcpConfigFiles: mcpConfigFiles?.map(({ written, path }) => ({
      written,
      value: join(folder, path),
    })),
    pricesFile: pricesFile && join(folder, pricesFile),
  };
}
