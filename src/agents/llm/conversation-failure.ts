/** The model answered, and the conversation cannot come to a good end. The message is for people. */
export class ConversationFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversationFailure';
  }
}
