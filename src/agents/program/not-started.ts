import type { AgentResult } from '../agent.js';

/** Why an agent cannot be given its task; the message is a sentence for people. */
export class NotStarted extends Error {
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.name = 'NotStarted';
    this.details = details;
  }
}

/** Runs an agent; that it could not be started is a result, too. */
export async function orNotStarted(run: () => Promise<AgentResult>): Promise<AgentResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    const { message, details } = error;
    const failure = { code: 'not-started' as const, message, ...(details && { details }) };
    return { end: 'failed', failure, output: '' };
  }
}
