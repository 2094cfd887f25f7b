import type { RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import { asArray, asRecord, asString } from '../../base/json.js';

interface Option {
  id: string;
  kind: unknown;
}

/** Answers a question for permission by the kind of its options: their ids mean nothing to us. */
export function outcomeOf(
  question: Record<string, unknown>,
  isAllowed: boolean,
): RequestPermissionOutcome {
  const options = optionsOf(question);
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  for (const kind of kinds) {
    const option = options.find((candidate) => candidate.kind === kind);
    if (option) return { outcome: 'selected', optionId: option.id };
  }
  return { outcome: 'cancelled' };
}

function optionsOf({ options }: Record<string, unknown>): Option[] {
  return asArray(options).flatMap((option) => {
    const { optionId, kind } = asRecord(option);
    const id = asString(optionId);
    return id === undefined ? [] : [{ id, kind }];
  });
}
