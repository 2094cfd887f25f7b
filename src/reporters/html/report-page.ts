import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The page, cut where the report differs from it. */
export interface ReportPage {
  beforeTitle: string;
  beforeData: string;
  afterData: string;
}

/** Beside the chunks, where the build puts it. */
const builtPage = join(import.meta.dirname, '..', 'report-page.html');

export async function readReportPage(): Promise<ReportPage> {
  const page = await readFile(builtPage, 'utf8').catch((cause: unknown) => {
    throw new Error(`${builtPage} is missing: install Proctor again`, { cause });
  });
  const [beforeTitle, afterTitle] = cutAt(page, '<!--proctor:title-->');
  const [beforeData, afterData] = cutAt(afterTitle, '<!--proctor:data-->');
  return { beforeTitle, beforeData, afterData };
}

function cutAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the page of the report has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
