import type { Redactor } from '../../config/redactor.js';
import type { EventBody } from '../../events/event.js';
import type { Journal } from '../../run/journal/event-stream.js';
import type { AttemptLog } from './attempt-log.js';

/** The journal of a run, as its task runs on this worker see it: each writes into its own log. */
export class RunJournal implements Journal {
  readonly #redactor: Redactor;
  readonly #logs = new Map<string, AttemptLog>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Until the returned function is called, events of that task run go there. */
  open(taskRun: string, log: AttemptLog): () => void {
    this.#logs.set(taskRun, log);
    return () => this.#logs.delete(taskRun);
  }

  logOf(taskRun: string): AttemptLog | undefined {
    return this.#logs.get(taskRun);
  }

  write(body: EventBody): number {
    const taskRun = 'taskRun' in body ? body.taskRun : undefined;
    if (taskRun !== undefined) return this.#logs.get(taskRun)?.write(body) ?? 0;
    // Whoever works on the run may tell it. Without anybody there is nothing worth telling.
    const [log] = this.#logs.values();
    log?.note(body);
    return 0;
  }

  pressure(): Promise<void> | undefined {
    const behind = [...this.#logs.values()].flatMap((log) => log.pressure() ?? []);
    return behind.length > 0 ? Promise.all(behind).then(() => {}) : undefined;
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.flush()));
  }

  redact(text: string): string {
    return this.#redactor.text(text);
  }
}
