import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordedCalls } from './recorded-calls.js';

/** What the agent answered and did, as files for scripts. */
export class EvidenceFiles {
  readonly calls: RecordedCalls;
  readonly #folder: string;

  constructor(harnessFolder: string) {
    this.#folder = harnessFolder;
    this.calls = new RecordedCalls(join(harnessFolder, 'calls.json'));
  }

  /** The variables that tell where they are. From here on no more calls are added. */
  async complete(answer: string): Promise<NodeJS.ProcessEnv> {
    const path = join(this.#folder, 'agent-output.txt');
    // An agent that tidies up may have gone too far.
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, answer, { mode: 0o600 });
    return { PROCTOR_AGENT_OUTPUT: path, PROCTOR_CALLS: this.calls.close() };
  }

  /** For task runs in which no script wanted them. */
  close(): void {
    try {
      this.calls.close();
    } catch {
      // Nobody misses what could not be written.
    }
  }
}
