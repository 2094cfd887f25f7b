import { textAt } from '../json-span.js';
import { errorCodes } from '../message.js';

/** Errors of the stateless era that the HTTP transport tells by a status too. */
const statuses: ReadonlyMap<number, number> = new Map([
  [errorCodes.parseError, 400],
  [errorCodes.invalidRequest, 400],
  [errorCodes.methodNotFound, 404],
  [errorCodes.headerMismatch, 400],
  [errorCodes.missingClientCapability, 400],
  [errorCodes.unsupportedProtocolVersion, 400],
]);

export function statusOfAnswer(answer: string): number {
  const code = textAt(answer, ['error', 'code']);
  return (code !== undefined && statuses.get(Number(code))) || 200;
}
