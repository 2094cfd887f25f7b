import { parseWholeNumber } from '../../base/amounts.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { listLeftOut } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import {
  listLeftOutOfRecordings,
  openChosen,
  parseVariantPattern,
  recordingsIn,
  showLeftOut,
} from '../result/chosen-results.js';
import { printAsJson, printRecordingsAsJson } from '../result/view/view-json.js';
import {
  createLook,
  type Look,
  parseSelection,
  type Selection,
  type Shown,
} from '../result/view/view-options.js';
import { printRecordings } from '../result/view/view-recording.js';
import { printAsText } from '../result/view/view-text.js';
import { printText } from '../terminal/text.js';

const mostOfAnything = 1_000_000;

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const selection = parseSelection(call);
  const look = createLook(io, {
    maxEvents: parseLimit('--max-events', String(options.maxEvents)),
    maxLines: parseLimit('--max-output-lines', String(options.maxOutputLines)),
    maxLineLength:
      typeof options.maxLineLength === 'string'
        ? parseLimit('--max-line-length', options.maxLineLength)
        : undefined,
    hasTimeline: options.timeline !== 'false',
  });
  const recordings = await recordingsIn(call, ['variant', 'run', 'failed']);
  if (recordings) {
    const { covered } =
      options.output === 'json'
        ? await printRecordingsAsJson(recordings, selection, io.stdout)
        : await printRecordings(recordings, selection, io.stdout, look);
    showLeftOut(listLeftOutOfRecordings(recordings), io);
    if (covered === 0) refuseRecording(selection);
    return exitCodes.ok;
  }
  const { covered, shown } = await show(call, selection, look);
  if (covered === 0) refuse(selection);
  if (shown === 0) printText(io.stderr, `${plural(covered, 'task run')}, and all passed\n`);
  return exitCodes.ok;
}

/** 0 is no limit, as mcpchecker has it. */
function parseLimit(option: string, text: string): number {
  return text === '0' ? mostOfAnything : parseWholeNumber(option, text, mostOfAnything);
}

async function show(call: CommandRun, selection: Selection, look: Look): Promise<Shown> {
  const { arguments: paths, options, io } = call;
  try {
    const results = await openChosen(io, paths, {
      variants: parseVariantPattern(options),
      allowControl: true,
    });
    const shown =
      options.output === 'json'
        ? await printAsJson(results, selection, io.stdout)
        : await printAsText(results, selection, io.stdout, look);
    showLeftOut(listLeftOut(results.files), io);
    return shown;
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

function refuseRecording({ isNarrow }: Selection): never {
  if (!isNarrow) throw new UsageError('no agent has called anything yet', 'look again later');
  throw new UsageError('no session matches', 'without --task it shows what there is');
}

function refuse({ isNarrow }: Selection): never {
  if (!isNarrow) throw new UsageError('there is no task run with a verdict', 'look again later');
  const hint = 'without --task, --variant, --run and --failed it lists what there is';
  throw new UsageError('no task run matches', hint);
}
