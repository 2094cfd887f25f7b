import { createReadStream } from 'node:fs';
import type { PooledResults } from '../results/read/pooled-results.js';
import { type CreateReporter, makeReportPath, poolFile } from './reporter.js';

/** Writes results in a format, piece by piece. */
export type WriteReport = (source: PooledResults) => AsyncIterable<string>;

/**
 * A format that results can be written in, with all that the command line has to know of it. What is
 * imported dynamically is loaded only when the format is asked for.
 */
export interface ReportDefinition {
  description: string;
  /** Extension of the file that it is mostly written to, without a dot. */
  extension: string;
  /**
   * As a reporter of `check`: how it uses standard output where it is given no file. `exclusive`: the
   * report is all that stands there; `shared`: a few lines behind what others write; `none`: it always
   * writes a file. Undefined: it is no reporter.
   */
  stdout?: 'exclusive' | 'shared' | 'none';
  /** A stream holds one such report only: with several evals each needs a file of its own. */
  isSingleDocument?: true;
  /** The file that it writes unless another one is named. */
  makeDefaultPath?(resultsPath: string): string;
  /** Loads the reporter. Undefined for `text`, which the command line renders itself. */
  load?(): Promise<CreateReporter>;
  /** Loads what `result convert` writes. Undefined: it cannot. */
  loadConverter?(): Promise<WriteReport>;
}

const loadJunit = async () => (await import('./junit.js')).writeJunit;

const loadMarkdown = async (): Promise<WriteReport> => {
  const { makeMarkdownReport } = await import('./document/summary-document.js');
  return async function* (source) {
    yield await makeMarkdownReport(source);
  };
};

/** Every format, in the order in which lists name them. */
const reportDefinitions = {
  text: {
    description: 'the report for people',
    extension: 'txt',
    stdout: 'exclusive',
  },
  json: {
    description: 'the results file, unchanged',
    extension: 'json',
    stdout: 'exclusive',
    load: async () => createJsonReporter,
  },
  junit: {
    description: 'JUnit XML',
    extension: 'xml',
    stdout: 'exclusive',
    isSingleDocument: true,
    load: async () => reportAtEnd(await loadJunit()),
    loadConverter: loadJunit,
  },
  markdown: {
    description: 'a summary in Markdown',
    extension: 'md',
    stdout: 'exclusive',
    load: async () => reportAtEnd(await loadMarkdown()),
    loadConverter: loadMarkdown,
  },
  github: {
    description: 'annotations and a job summary of GitHub Actions',
    extension: 'txt',
    stdout: 'shared',
    load: async () => (await import('./github.js')).createGithubReporter,
  },
  html: {
    description: 'a page for the browser',
    extension: 'html',
    stdout: 'none',
    makeDefaultPath: (resultsPath) => makeReportPath(resultsPath, 'html'),
    load: async () => (await import('./html/write-report.js')).createHtmlReporter,
  },
  tap: {
    description: 'TAP 14',
    extension: 'tap',
    stdout: 'exclusive',
    isSingleDocument: true,
    load: async () => reportAtEnd((await import('./tap.js')).writeTap),
  },
  mcpchecker: {
    description: 'results as mcpchecker writes them',
    extension: 'json',
    loadConverter: async () => (await import('./mcpchecker.js')).writeMcpchecker,
  },
  csv: {
    description: 'CSV, a row for every task run',
    extension: 'csv',
    loadConverter: async () => (await import('./csv.js')).writeCsv,
  },
} as const satisfies Record<string, ReportDefinition>;

type Definitions = typeof reportDefinitions;

/** Names that `check --reporter` takes. */
export type ReporterName = {
  [Name in keyof Definitions]: Definitions[Name] extends { stdout: string } ? Name : never;
}[keyof Definitions];

const entries: readonly (readonly [string, ReportDefinition])[] = Object.entries(reportDefinitions);

export const reporterNames = entries
  .filter(([, { stdout }]) => stdout !== undefined)
  .map(([name]) => name) as ReporterName[];

/** What `result convert` writes, by the name of the format. */
export const converters: ReadonlyMap<string, () => Promise<WriteReport>> = new Map(
  entries.flatMap(([name, { loadConverter }]) => (loadConverter ? [[name, loadConverter]] : [])),
);

export function getReporterDefinition(name: ReporterName): ReportDefinition {
  return reportDefinitions[name];
}

/** A reporter that writes its report when the check has ended. */
function reportAtEnd(write: WriteReport): CreateReporter {
  return ({ output }) => ({
    async onEnd({ results }) {
      for await (const piece of write(poolFile(results))) await output.write(piece);
    },
  });
}

const createJsonReporter: CreateReporter = ({ output }) => ({
  async onEnd({ resultsPath }) {
    for await (const chunk of createReadStream(resultsPath, 'utf8')) {
      await output.write(String(chunk));
    }
  },
});
