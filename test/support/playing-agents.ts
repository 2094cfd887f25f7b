import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fixtures } from './cli.js';
import type { SuiteFolder } from './suite-folder.js';

/** What an agent does: see test/fixtures/agents/players/play.mjs. */
export type Play = readonly object[];

/** Has the agents `claude` and `my-agent` on its PATH, which play what is given for a word of the prompt. */
export async function playing(
  suite: SuiteFolder,
  plays: Record<string, Play>,
): Promise<Record<string, string>> {
  const file = path.join(path.dirname(suite.path), 'plays.json');
  await writeFile(file, JSON.stringify(plays));
  const programs = path.join(fixtures, 'agents/players/bin');
  return { PATH: `${programs}:${process.env.PATH}`, PLAY: file };
}
