import { plural } from '../../config/plural.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { wholeNumber } from '../options.js';
import { openChosen, variantPatternOf } from '../result/chosen-results.js';
import { type Look, lookFor } from '../result/view/look.js';
import { type Selection, type Shown, selectionOf } from '../result/view/selection.js';
import { viewAsJson } from '../result/view/view-json.js';
import { viewAsText } from '../result/view/view-text.js';
import { unreadableResults } from '../unreadable-results.js';

const mostOfAnything = 1_000_000;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const selection = selectionOf(call);
  const look = lookFor(io, {
    maxEvents: wholeNumber('--max-events', String(options.maxEvents), mostOfAnything),
    maxLines: wholeNumber('--max-output-lines', String(options.maxOutputLines), mostOfAnything),
  });
  const { covered, shown } = await show(call, selection, look);
  if (covered === 0) refuse(selection);
  if (shown === 0) io.stderr.write(`${plural(covered, 'task run')}, and all passed\n`);
  return exitCodes.ok;
}

async function show(call: CommandRun, selection: Selection, look: Look): Promise<Shown> {
  const { arguments: paths, options, io } = call;
  try {
    const results = await openChosen(paths, variantPatternOf(options));
    return options.output === 'json'
      ? await viewAsJson(results, selection, io.stdout)
      : await viewAsText(results, selection, io.stdout, look);
  } catch (error) {
    throw unreadableResults(paths.join(', '), error);
  }
}

function refuse({ isNarrow }: Selection): never {
  if (!isNarrow) throw new UsageError('there is no task run with a verdict', 'look again later');
  const hint = 'without --task, --variant, --run and --failed it lists what there is';
  throw new UsageError('no task run is like that', hint);
}
