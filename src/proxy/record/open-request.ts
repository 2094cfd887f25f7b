import type { Message } from '../message.js';

/** A request of the agent that was recorded: tell it what becomes of it. Only the first end counts. */
export interface OpenRequest {
  answered(answer: Message): void;
  /** There will be no answer; the reason is recorded as the call's error. */
  failed(reason: string): void;
  cancelled(): void;
}
