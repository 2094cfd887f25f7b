import { plural } from '../../base/text.js';
import { leftOutOf } from '../../results/results-file.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { wholeNumber } from '../options.js';
import {
  leftOutOfRecordings,
  openChosen,
  recordingsIn,
  variantPatternOf,
} from '../result/chosen-results.js';
import { showLeftOut } from '../result/left-out.js';
import { type Look, lookFor } from '../result/view/look.js';
import { type Selection, type Shown, selectionOf } from '../result/view/selection.js';
import { recordingsAsJson, viewAsJson } from '../result/view/view-json.js';
import { viewRecordings } from '../result/view/view-recording.js';
import { viewAsText } from '../result/view/view-text.js';
import { printText } from '../wrapped-text.js';

const mostOfAnything = 1_000_000;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const selection = selectionOf(call);
  const look = lookFor(io, {
    maxEvents: limitOf('--max-events', String(options.maxEvents)),
    maxLines: limitOf('--max-output-lines', String(options.maxOutputLines)),
    maxLineLength:
      typeof options.maxLineLength === 'string'
        ? limitOf('--max-line-length', options.maxLineLength)
        : undefined,
    hasTimeline: options.timeline !== 'false',
  });
  const recordings = await recordingsIn(call, ['variant', 'run', 'failed']);
  if (recordings) {
    const { covered } =
      options.output === 'json'
        ? await recordingsAsJson(recordings, selection, io.stdout)
        : await viewRecordings(recordings, selection, io.stdout, look);
    showLeftOut(leftOutOfRecordings(recordings), io);
    if (covered === 0) refuseRecording(selection);
    return exitCodes.ok;
  }
  const { covered, shown } = await show(call, selection, look);
  if (covered === 0) refuse(selection);
  if (shown === 0) printText(io.stderr, `${plural(covered, 'task run')}, and all passed\n`);
  return exitCodes.ok;
}

/** 0 is no limit, as mcpchecker has it. */
function limitOf(option: string, text: string): number {
  return text === '0' ? mostOfAnything : wholeNumber(option, text, mostOfAnything);
}

async function show(call: CommandRun, selection: Selection, look: Look): Promise<Shown> {
  const { arguments: paths, options, io } = call;
  try {
    const results = await openChosen(io, paths, {
      variants: variantPatternOf(options),
      allowsControl: true,
    });
    const shown =
      options.output === 'json'
        ? await viewAsJson(results, selection, io.stdout)
        : await viewAsText(results, selection, io.stdout, look);
    showLeftOut(leftOutOf(results.files), io);
    return shown;
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

function refuseRecording({ isNarrow }: Selection): never {
  if (!isNarrow) throw new UsageError('no agent has called anything yet', 'look again later');
  throw new UsageError('no session is like that', 'without --task it shows what there is');
}

function refuse({ isNarrow }: Selection): never {
  if (!isNarrow) throw new UsageError('there is no task run with a verdict', 'look again later');
  const hint = 'without --task, --variant, --run and --failed it lists what there is';
  throw new UsageError('no task run is like that', hint);
}
