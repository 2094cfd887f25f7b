import { createReadStream } from 'node:fs';
import type { CreateReporter } from './reporter.js';

/** The results as they are. */
export const createJsonReporter: CreateReporter = ({ output }) => ({
  async onEnd({ resultsPath }) {
    for await (const chunk of createReadStream(resultsPath, 'utf8')) {
      await output.write(String(chunk));
    }
  },
});
