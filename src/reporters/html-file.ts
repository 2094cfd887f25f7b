import { extname } from 'node:path';

/** Where the HTML report of results is, unless somebody says otherwise. */
export function htmlBeside(resultsPath: string): string {
  const ending = extname(resultsPath);
  return `${ending === '' ? resultsPath : resultsPath.slice(0, -ending.length)}.html`;
}
