import { resultsSchemaName } from './results-schema.js';

type Code = 'not-results' | 'newer-results' | 'damaged-results';

/** A file that was named as results, and cannot be read as such. */
export class UnreadableResults extends Error {
  readonly code: Code;
  readonly path: string;

  constructor(code: Code, path: string, message: string) {
    super(message);
    this.name = 'UnreadableResults';
    this.code = code;
    this.path = path;
  }

  static notResults(path: string, found: string): UnreadableResults {
    const expected = 'results or a journal of proctor check, or results of mcpchecker';
    return new UnreadableResults(
      'not-results',
      path,
      `${path} holds no results: found ${found}, expected ${expected}`,
    );
  }

  static newer(path: string, schema: string): UnreadableResults {
    return new UnreadableResults(
      'newer-results',
      path,
      `${path} was made by a newer Proctor (${schema}, this one reads ${resultsSchemaName}): update Proctor to read it`,
    );
  }

  static damaged(path: string, reason: string): UnreadableResults {
    return new UnreadableResults('damaged-results', path, `${path} is damaged: ${reason}`);
  }
}

interface Told {
  path: string;
  outcome: string;
}

/** Two files tell the same task run of the same evaluation in two ways. */
export class ContradictingResults extends Error {
  readonly code = 'contradicting-results';

  constructor({ task, run }: { task: string; run: number }, first: Told, second: Told) {
    const isSame = first.outcome === second.outcome;
    const [here, there] = isSame ? ['', ''] : [`${first.outcome} `, `${second.outcome} `];
    super(
      `run ${run} of ${task} is told in two ways: ${here}in ${first.path}, ${there}in ${second.path}; both are of one evaluation, so leave one out`,
    );
    this.name = 'ContradictingResults';
  }
}

/** A journal that has no task runs in it, such as one of `proctor proxy`. */
export class NotAnEvaluation extends Error {
  readonly code = 'not-an-evaluation';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is the record of no evaluation: proctor proxy wrote it, not proctor check`);
    this.name = 'NotAnEvaluation';
    this.path = path;
  }
}
