import type { StepAccount } from '../../journal/step-events.js';

/** In characters. Longer arguments are in the record of the call; of the rest the beginning will do. */
const maxArgs = 256 * 1024;
const maxReference = 64 * 1024;
const maxAddress = 8 * 1024;
const maxScript = 8 * 1024;

/** What a step did, cut to a sensible length: a placeholder can stand for a whole answer. */
export function boundedAccount(
  { args, judgement, request, script, ...rest }: StepAccount,
  beginningOf: (text: string, length: number) => string,
): StepAccount {
  return {
    ...rest,
    ...(script && { script: { ...script, text: beginningOf(script.text, maxScript) } }),
    ...(args && args.text.length <= maxArgs && { args }),
    ...(judgement && {
      judgement: { ...judgement, reference: beginningOf(judgement.reference, maxReference) },
    }),
    ...(request && {
      request: {
        ...request,
        url: beginningOf(request.url, maxAddress),
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            beginningOf(value, maxAddress),
          ]),
        ),
      },
    }),
  };
}
