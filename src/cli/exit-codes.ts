export { UsageError } from '../base/errors.js';
export { exitCodes } from '../base/exit-codes.js';
