/** Results that say nothing about each other, or about something else than the server. */
export class NotComparable extends Error {
  readonly code = 'not-comparable';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'NotComparable';
    this.hint = hint;
  }
}
