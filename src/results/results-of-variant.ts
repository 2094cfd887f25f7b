import type { ResultsFile } from './results-file.js';
import { serversOfVariant } from './servers-of-variant.js';

/**
 * The part of results that one variant of their matrix did, with its agent and its servers: what is
 * left is like the results of a check without a matrix.
 */
export function resultsOfVariant(file: ResultsFile, name: string): ResultsFile {
  const { header } = file;
  const variant = header.variants.find((each) => each.name === name);
  if (!variant) throw new Error(`${file.path} has no variant ${name}`);
  const { agent } = variant;
  return {
    path: file.path,
    header: {
      ...header,
      agent,
      variants: [variant],
      mcpServers: serversOfVariant(header, name),
      open: header.open.filter((each) => each.variant === name),
    },
    async *taskRuns(options) {
      for await (const taskRun of file.taskRuns(options)) {
        if (taskRun.variant === name) yield taskRun;
      }
    },
    async *openTaskRuns() {
      for await (const taskRun of file.openTaskRuns?.() ?? []) {
        if (taskRun.variant === name) yield taskRun;
      }
    },
  };
}
