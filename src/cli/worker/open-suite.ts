import { join } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { Redactor } from '../../config/redactor.js';
import type { AgentReference } from '../../config/schemas/eval-schema.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan, type PlanOptions } from '../../plan/plan.js';
import { loadSuites, type Suite, type SuiteOptions } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import { Prices } from '../../prices/prices.js';
import type { QueueRun, RunOptions } from '../../queue/queue-run.js';
import {
  type OpenedSuite,
  type OpenSuite,
  SuiteNotReady,
} from '../../queue/worker/opened-suite.js';
import { preflight } from '../../run/preflight/preflight.js';
import { verificationFor } from '../../run/preflight/verification.js';
import { agentDefinitions } from '../../run/prepare/agent-definition.js';
import { pricedAgent } from '../../run/priced-agent.js';
import { resolveSources } from '../../sources/resolve-sources.js';
import { identityOf } from '../check/agent-identity.js';
import { reportPreflight } from '../check/preflight-problems.js';
import { variantsOf } from '../check/prepared-check.js';
import { setupsOf, variantsToPrepare } from '../check/variant-setups.js';
import { renderProblems } from '../render-problems.js';

/** A suite whose files a worker has, as far as they tell. */
interface ReadSuite {
  suite: Suite;
  plan: Plan;
  definitions: ReadonlyMap<Suite, AgentDefinition>;
  redactor: Redactor;
}

/** Reads the suite of a run and does for it what `check` does before its first task run. */
export const openSuite: OpenSuite = async (run, folder, surroundings) => {
  const { environment, signal, temporary } = surroundings;
  const problems = new Problems();
  const { suite, plan, definitions, redactor } = await readSuite(
    run,
    folder,
    environment,
    problems,
  );
  const redact = (text: string) => redactor.text(text);
  const prices = new Prices(suite.prices?.models);
  const { options } = run;
  const variants = await variantsToPrepare({ definitions }, { control: options.control, prices });
  const verification = await verificationFor(
    suite,
    plan.tasks.map((task) => task.definition),
    { environment, redact, onProgress: () => {} },
    problems,
  );
  try {
    refuseErrors(problems, options.strict, folder);
    const ready = await preflight({
      variants,
      verification,
      environment,
      redact,
      signal,
      temporary,
    });
    await ready.left;
    reportPreflight(ready, verification, problems);
    refuseErrors(problems, options.strict, folder);
    const judge = verification.judge && pricedAgent(verification.judge, prices);
    return {
      plan,
      evalPath: suite.eval.source.path,
      setups: setupsOf(ready),
      ...(judge && { judge: { agent: judge, identity: identityOf(judge, ready.judge) } }),
      extensions: verification.extensions,
      redactor,
    } satisfies OpenedSuite;
  } catch (error) {
    await verification.extensions.close();
    throw error;
  }
};

async function readSuite(
  { evalFile, options, tasks }: QueueRun,
  folder: string,
  environment: NodeJS.ProcessEnv,
  problems: Problems,
): Promise<ReadSuite> {
  const evalPath = join(folder, evalFile);
  // They came with the bundle.
  const sources = await resolveSources(evalPath, {
    mode: 'offline',
    isBundled: true,
    environment,
    onProgress: () => {},
  });
  const suiteOptions = { ...suiteOptionsOf(options, folder, environment), sources };
  const loaded = loadSuites(evalPath, suiteOptions, problems);
  const [first] = loaded;
  if (!first) throw notReady(problems, options.strict, folder);
  const { variant: _, ...only } = first;
  const suite = options.control ? only : first;
  const suites = [suite, ...(options.control ? [] : loaded.slice(1))] as const;
  checkSuites(suites, environment, problems);
  const plan = makePlan(
    suite,
    { ...planOptionsOf(options), variants: variantsOf(suites) },
    problems,
  );
  const definitions = agentDefinitions(suites);
  refuseErrors(problems, options.strict, folder);
  if (!definitions) throw notReady(problems, options.strict, folder);
  const wanted = new Set(tasks);
  return {
    suite,
    // What no task of the run needs need not be there.
    plan: { ...plan, tasks: plan.tasks.filter(({ name }) => wanted.has(name)) },
    definitions,
    redactor: new Redactor(secretsOfSuite(suite, environment, suites)),
  };
}

function suiteOptionsOf(
  { agents, models, mcpConfigFiles, pricesFile }: RunOptions,
  folder: string,
  environment: NodeJS.ProcessEnv,
): SuiteOptions {
  return {
    environment,
    ...(agents && {
      agents: agents.map(({ written, type, path }) => ({
        written,
        value: { ...(type !== undefined && { type }), ...pathIn(folder, path) } as AgentReference,
      })),
    }),
    ...(models && { models }),
    ...(mcpConfigFiles && {
      mcpConfigFiles: mcpConfigFiles.map(({ written, path }) => ({
        written,
        value: join(folder, path),
      })),
    }),
    ...(pricesFile !== undefined && { pricesFile: join(folder, pricesFile) }),
  };
}

function pathIn(folder: string, path: string | undefined): { path?: string } {
  return path === undefined ? {} : { path: join(folder, path) };
}

function planOptionsOf(options: RunOptions): PlanOptions {
  const { runs, autoRuns, control } = options;
  const { taskTimeout, defaultTaskTimeout, cleanupTimeout, defaultCleanupTimeout } = options;
  return {
    ...(runs !== undefined && { runs }),
    ...(autoRuns && { autoRuns }),
    ...(control && { runs: 1 }),
    ...(taskTimeout !== undefined && { taskTimeout }),
    ...(defaultTaskTimeout !== undefined && { defaultTaskTimeout }),
    ...(cleanupTimeout !== undefined && { cleanupTimeout }),
    ...(defaultCleanupTimeout !== undefined && { defaultCleanupTimeout }),
  };
}

function refuseErrors(problems: Problems, strict: boolean, folder: string): void {
  if (problems.report({ strict }).errors > 0) throw notReady(problems, strict, folder);
}

/** Files are named as in the suite: where this worker keeps them helps nobody. */
function notReady(problems: Problems, strict: boolean, folder: string): SuiteNotReady {
  const report = problems.report({ strict });
  const errors = report.problems.filter(({ severity }) => severity === 'error');
  const text = renderProblems({ ...report, problems: errors }, (_format, plain) => plain);
  return new SuiteNotReady(text.replaceAll(`${shownName(folder)}/`, '').trimEnd());
}
