import { setImmediate } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A connection that knows when there is nothing more to come of what was asked for. */
export class QuietRedis extends Redis {
  readonly #unanswered = new Set<unknown>();

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    this.#unanswered.add(command);
    const onAnswer = () => this.#unanswered.delete(command);
    command.promise.then(onAnswer, onAnswer);
    return super.sendCommand(command, stream);
  }

  /** All answers are here, also to what was asked because of others. */
  async quiet(): Promise<void> {
    do await setImmediate();
    while (this.#unanswered.size > 0);
  }
}
