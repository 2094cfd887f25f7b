import { markdownReport } from '../markdown/markdown-report.js';
import { sourceOf } from '../report-source.js';
import type { CreateReporter } from '../reporter.js';
import { annotations } from './annotations.js';
import { appendJobSummary } from './job-summary.js';

/** Annotations in the log, and the summary of the job. */
export const createGithubReporter: CreateReporter = (context) => {
  const { output, environment, evalFolder, cwd } = context;
  const workspace = environment.GITHUB_WORKSPACE || cwd;
  const summaryFile = environment.GITHUB_STEP_SUMMARY;
  return {
    async onEnd({ results }) {
      const lines = await annotations(results, { evalFolder, workspace });
      await output.write(lines.join(''));
      if (summaryFile) await appendJobSummary(summaryFile, await markdownReport(sourceOf(results)));
    },
  };
};
