import { indexElementId, type ReportIndex } from '../../report-data/report-data.js';
import { decodeElement, UnreadableReport } from './decode.js';

export async function readIndex(): Promise<ReportIndex> {
  if (isOldBrowser()) {
    throw new UnreadableReport(
      'this browser is too old for it: open it with Chrome 123, Firefox 120, Safari 17.5 or newer',
    );
  }
  const index = await decodeElement(indexElementId);
  if (!isIndex(index)) {
    throw new UnreadableReport('this report is of another version of Proctor: write it again');
  }
  return index;
}

/** Without the one there is no data, without the other no colour, and so nothing to tell bars apart. */
function isOldBrowser(): boolean {
  return (
    typeof DecompressionStream === 'undefined' ||
    !CSS.supports('color', 'light-dark(#000000, #ffffff)')
  );
}

/** The page and its data are written by the same program: its version is all there is to check. */
function isIndex(value: unknown): value is ReportIndex {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 1;
}
