import { createReadStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { harnessFolderBefore } from '../workspace.js';

/** What cleanup steps are told of the agent. */
export interface RecoveredEvidence {
  /** The agent's answer. */
  output: string;
  environment: NodeJS.ProcessEnv;
}

/** Makes the files for scripts from those that a killed task run had, as far as it came. */
export async function recoverEvidence(workdir: string, folder: string): Promise<RecoveredEvidence> {
  const before = harnessFolderBefore(workdir);
  const output = await readFile(join(before, 'agent-output.txt'), 'utf8').catch(() => '');
  const outputPath = join(folder, 'agent-output.txt');
  await writeFile(outputPath, output, { mode: 0o600 });
  const callsPath = join(folder, 'calls.json');
  await copyCalls(join(before, 'calls.json'), callsPath);
  return {
    output,
    environment: { PROCTOR_AGENT_OUTPUT: outputPath, PROCTOR_CALLS: callsPath },
  };
}

/** A call on each line: the last one may be torn, and the end of the list may be missing. */
async function copyCalls(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx', 0o600);
  try {
    await file.appendFile('[');
    let separator = '\n';
    for await (const line of linesOf(from)) {
      const call = line.endsWith(',') ? line.slice(0, -1) : line;
      if (!call.startsWith('{') || !isJson(call)) continue;
      await file.appendFile(`${separator}${call}`);
      separator = ',\n';
    }
    await file.appendFile(']\n');
  } finally {
    await file.close();
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path) });
  } catch {
    // The agent had called nothing yet.
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
