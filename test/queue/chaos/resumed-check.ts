import { type RunningCheck, startCheck } from '../../support/running-check.js';
import type { ChaosSuite } from './chaos-suite.js';
import { isWithoutQueue } from './worker-fleet.js';

/** The check of a round: as often as it is killed, it is resumed. */
export class ResumedCheck {
  /** How the last of them ended. Rejects if it hangs. */
  readonly ended: Promise<{ exitCode: number | null; stderr: string }>;
  readonly #suite: ChaosSuite;
  readonly #queue: string;
  #process: RunningCheck;
  #attempts = 0;
  #isOver = false;

  constructor(suite: ChaosSuite, queue: string) {
    this.#suite = suite;
    this.#queue = queue;
    this.#process = this.#start();
    this.ended = this.#follow();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  #start(): RunningCheck {
    const resume = this.#attempts > 0 ? ['--resume'] : [];
    this.#attempts += 1;
    return startCheck(['check', 'eval.yaml', '--queue', this.#queue, ...resume], {
      cwd: this.#suite.suiteFolder,
      env: this.#suite.environment,
    });
  }

  async #follow(): Promise<{ exitCode: number | null; stderr: string }> {
    for (;;) {
      const { exitCode, signal, stdout, stderr } = await this.#process.ended;
      const said = `${stdout}\n${stderr}\n${exitCode ?? signal}\n`;
      await this.#suite.keep(`check-${this.#attempts}.txt`, said);
      const goesOn = signal === 'SIGKILL' || isWithoutQueue(exitCode, stderr);
      if (!goesOn || this.#isOver) {
        this.#isOver = true;
        return { exitCode, stderr };
      }
      this.#process = this.#start();
    }
  }

  /** Ends it without resuming it again. */
  giveUp(): void {
    this.#isOver = true;
    this.kill('SIGKILL');
  }
}
