import type { PooledResults } from '../results/pooled-results.js';
import { sourceOf } from './report-source.js';
import type { CreateReporter } from './reporter.js';

/** The reporters that need nothing but results. Each is loaded when it is asked for. */
export const builtinReporters = {
  json: async () => (await import('./json-reporter.js')).createJsonReporter,
  junit: async () => writing((await import('./junit/junit-report.js')).junitReport),
  markdown: async () => {
    const { markdownReport } = await import('./markdown/markdown-report.js');
    return writing(async function* (source) {
      yield await markdownReport(source);
    });
  },
  github: async () => (await import('./github/github-reporter.js')).createGithubReporter,
  html: async () => (await import('./html-reporter.js')).createHtmlReporter,
  tap: async () => writing((await import('./tap/tap-report.js')).tapReport),
} as const satisfies Record<string, () => Promise<CreateReporter>>;

/** Writes a report in the end, piece by piece. */
function writing(report: (source: PooledResults) => AsyncIterable<string>): CreateReporter {
  return ({ output }) => ({
    async onEnd({ results }) {
      for await (const piece of report(sourceOf(results))) await output.write(piece);
    },
  });
}
