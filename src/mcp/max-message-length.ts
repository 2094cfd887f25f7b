/** In characters or bytes of one message: far more than anybody sends on purpose. */
export const maxMessageLength = 256 * 1024 * 1024;
