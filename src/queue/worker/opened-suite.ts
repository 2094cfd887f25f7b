import { join } from 'node:path';
import type { ProblemReport } from '../../config/problems/problem.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import { displayPath } from '../../config/yaml/data-file.js';
import type { Plan } from '../../plan/plan.js';
import { Prices } from '../../prices/prices.js';
import { preflight } from '../../run/preflight/preflight.js';
import { reportPreflight } from '../../run/preflight/preflight-problems.js';
import { defineAgents } from '../../run/prepare/agent-definition.js';
import { assembleParticipants } from '../../run/prepare/participants.js';
import { findSources, prepareEval } from '../../run/prepare/prepare-eval.js';
import { makeReadyParticipants, type ReadyParticipants } from '../../run/variant-setup.js';
import { unpackSuiteOptions } from '../run-options.js';
import type { RunTicket } from '../run-ticket.js';

/** A suite that this worker can run: its servers, its agent and its keys are there. */
export interface OpenedSuite extends ReadyParticipants {
  /** With the tasks that the run needs. */
  plan: Plan;
  /** Absolute. */
  evalPath: string;
  redactor: Redactor;
}

/** A worker lacks something to take part; the message says what. */
export class SuiteNotReadyError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SuiteNotReadyError';
  }
}

export interface OpenSuiteContext {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** A folder for temporary files. */
  temporary: string;
}

/**
 * Reads the suite of a run, whose files are in that folder, and checks that everything is there. Throws
 * SuiteNotReadyError.
 */
export type OpenSuite = (
  run: RunTicket,
  folder: string,
  context: OpenSuiteContext,
) => Promise<OpenedSuite>;

/** Does for a worker what a check does before its first task run. `formatProblems` puts errors into words. */
export function createOpenSuite(formatProblems: (report: ProblemReport) => string): OpenSuite {
  return async (run, folder, { environment, signal, temporary }) => {
    const { options, tasks } = run;
    const { strict, control } = options;
    const evalPath = join(folder, run.evalFile);
    const { prepared, problems, selectionProblems } = await prepareEval(evalPath, {
      suite: unpackSuiteOptions(options, folder, environment),
      environment,
      control,
      strict,
      // The files of sources came with the bundle.
      findSources: (path) =>
        findSources(path, {
          mode: 'offline',
          isBundled: true,
          environment,
          onProgress: () => {},
        }),
      choosePlanOptions: () => options,
    });
    problems.addFrom(selectionProblems);
    const refuseErrors = () => {
      if (problems.report({ strict }).errors > 0) throw describeErrors();
    };
    const describeErrors = () => {
      const report = problems.report({ strict });
      const errors = report.problems.filter(({ severity }) => severity === 'error');
      const text = formatProblems({ ...report, problems: errors });
      // Paths as in the suite, without the folder in which this worker keeps it.
      return new SuiteNotReadyError(text.replaceAll(`${displayPath(folder)}/`, '').trimEnd());
    };
    refuseErrors();
    const definitions = prepared && defineAgents(prepared.suites);
    if (!definitions) throw describeErrors();
    const { suite, redactor } = prepared;
    const redact = (text: string) => redactor.text(text);
    const needed = new Set(tasks);
    // Tasks that the run does not have may need what is not there.
    const plan = {
      ...prepared.plan,
      tasks: prepared.plan.tasks.filter(({ name }) => needed.has(name)),
    };
    const participants = await assembleParticipants(
      {
        suite,
        definitions,
        tasks: plan.tasks.map((task) => task.definition),
        control,
        prices: new Prices(suite.prices?.models),
        environment,
        redact,
        onProgress: () => {},
      },
      problems,
    );
    const { extensions } = participants;
    try {
      refuseErrors();
      const ready = await preflight({ participants, environment, redact, signal, temporary });
      await ready.departure;
      reportPreflight(ready, extensions, problems);
      refuseErrors();
      return {
        plan,
        evalPath: suite.eval.source.path,
        ...makeReadyParticipants(participants, ready),
        redactor,
      };
    } catch (error) {
      await extensions.close();
      throw error;
    }
  };
}
