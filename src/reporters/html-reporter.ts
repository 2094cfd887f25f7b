import { writeReport } from './html/write-report.js';
import { htmlBeside } from './html-file.js';
import { nameOf, sourceOf } from './report-source.js';
import type { CreateReporter } from './reporter.js';

/** The HTML report: in its file, or beside the results. */
export const createHtmlReporter: CreateReporter = ({ file }) => ({
  async onEnd({ results, resultsPath }) {
    const name = nameOf(results);
    const out = file ?? htmlBeside(resultsPath);
    await writeReport({ sources: [{ name, results: sourceOf(results) }], title: name, out });
  },
});
