/** Asked between one task run and the next: throws if it is to end, and nothing half is left. */
export type StopSignal = Pick<AbortSignal, 'throwIfAborted'>;
