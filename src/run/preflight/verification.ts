import type { Agent } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import type { Problems } from '../../config/problem.js';
import type { Task } from '../../config/task-file.js';
import { extensionDefinitions } from '../../extensions/extension-definitions.js';
import { Extensions } from '../../extensions/extensions.js';
import { locateProgram } from '../../extensions/package/locate-program.js';
import type { Suite } from '../../plan/suite.js';
import { judgeDefinition } from '../prepare/agent-definition.js';
import { verificationNeeds } from '../verification-needs.js';

/** Whom the steps of some tasks need besides servers. */
export interface Verification {
  /** The agent that judges; none: no step needs one. */
  judge?: Agent;
  extensions: Extensions;
  /** Of those that some step needs. */
  extensionNames: string[];
}

interface VerificationOptions {
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  /** Told what takes its time, such as a download. */
  onProgress(message: string): void;
}

/** Starts nobody yet. What is wrong with the judge's settings is a problem. */
export async function verificationFor(
  suite: Suite,
  tasks: readonly Task[],
  { environment, redact, onProgress }: VerificationOptions,
  problems: Problems,
): Promise<Verification> {
  const servers = (suite.mcp?.servers ?? []).map(({ name }) => name);
  const needs = verificationNeeds(tasks, servers);
  const definition = needs.judge ? judgeDefinition(suite, environment, problems) : undefined;
  return {
    ...(definition && { judge: await createAgent(definition) }),
    extensions: new Extensions({
      definitions: extensionDefinitions(suite.eval, environment, needs.extensions),
      environment,
      locate: (each, signal) => locateProgram(each, { environment, signal, onProgress }),
      redact,
    }),
    extensionNames: needs.extensions,
  };
}
