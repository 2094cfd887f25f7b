import { resultsSchemaName } from './schema/results-schema.js';

type Code = 'not-results' | 'newer-results' | 'damaged-results';

/** A file that was named as results, and cannot be read as such. */
export class UnreadableResultsError extends Error {
  readonly code: Code;
  readonly path: string;

  constructor(code: Code, path: string, message: string) {
    super(message);
    this.name = 'UnreadableResultsError';
    this.code = code;
    this.path = path;
  }

  static notResults(path: string, found: string): UnreadableResultsError {
    const expected = 'results or a journal of proctor check, or results of mcpchecker';
    return new UnreadableResultsError(
      'not-results',
      path,
      `${path} holds no results: found ${found}, expected ${expected}`,
    );
  }

  static reformattedJournal(path: string): UnreadableResultsError {
    return new UnreadableResultsError(
      'not-results',
      path,
      `${path} is a journal, but not as Proctor wrote it: each line must begin with {"seq":`,
    );
  }

  static newer(path: string, schema: string): UnreadableResultsError {
    return new UnreadableResultsError(
      'newer-results',
      path,
      `${path} was made by a newer Proctor (${schema}, this one reads ${resultsSchemaName}): update Proctor to read it`,
    );
  }

  static damaged(path: string, reason: string): UnreadableResultsError {
    return new UnreadableResultsError('damaged-results', path, `${path} is damaged: ${reason}`);
  }
}

/**
 * There are only results of `check --control`, and figures are asked for. No agent ran there, and a task that
 * fails is a good one: such results say nothing about a server.
 */
export class ControlResultsError extends Error {
  readonly code = 'control-results';

  constructor(path: string) {
    super(`${path} comes from check --control: no agent ran, so it says nothing about a server`);
    this.name = 'ControlResultsError';
  }
}

interface RecordedOutcome {
  path: string;
  outcome: string;
}

/** Two files have different records of the same task run. */
export class ContradictingResultsError extends Error {
  readonly code = 'contradicting-results';

  constructor(
    { task, run }: { task: string; run: number },
    first: RecordedOutcome,
    second: RecordedOutcome,
  ) {
    const isSame = first.outcome === second.outcome;
    const [here, there] = isSame ? ['', ''] : [`${first.outcome} `, `${second.outcome} `];
    super(
      `run ${run} of ${task} is recorded in two ways: ${here}in ${first.path}, ${there}in ${second.path}; both belong to the same check, so leave one out`,
    );
    this.name = 'ContradictingResultsError';
  }
}

/** The commands that can read what `proctor proxy` records. */
const readsRecordings =
  'proctor view, summary, report, result tools and recheck can read it, and proctor init --from';

/** A journal without task runs: a recording of `proctor proxy`, or one of which nothing is left. */
export class NotARunError extends Error {
  readonly code = 'not-an-evaluation';
  readonly path: string;

  constructor(path: string, what: 'recording' | 'no-task-runs') {
    super(
      what === 'recording'
        ? `${path} is a proxy recording, not the results of a check: ${readsRecordings}`
        : `${path} holds no task runs`,
    );
    this.name = 'NotARunError';
    this.path = path;
  }
}

/** Recordings and results are given together; recordings have no verdicts, so there are no common figures. */
export class MixedInputsError extends Error {
  readonly code = 'mixed-inputs';

  constructor(recording: string, results: string) {
    super(
      `${recording} is a proxy recording and ${results} is not: look at recordings and results apart`,
    );
    this.name = 'MixedInputsError';
  }
}
