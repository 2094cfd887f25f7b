import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { printableJson } from '../events/printable-json.js';
import { type JournalSurvey, surveyJournal } from './journal-survey.js';
import { journalTaskRuns } from './journal-task-runs.js';
import { jsonArray, jsonObject } from './json-object.js';
import { type ResultTotals, resultsSchemaName } from './results-schema.js';
import { totalsOf } from './totals.js';

/**
 * Makes the results file of a journal, finished or not: every task run that has a verdict is in it.
 * The file is there at once and whole, or not at all. Throws NotAnEvaluation, what readJournal
 * throws, and what the operating system says about the file.
 */
export async function writeResults(journalPath: string, outPath: string): Promise<ResultTotals> {
  const survey = await surveyJournal(journalPath);
  const totals = totalsOf([...survey.counted.values()], survey.planned);
  const target = await targetOf(outPath);
  const draft = `${target}.${randomUUID()}.tmp`;
  const file = await open(draft, 'wx');
  try {
    const journal = relative(dirname(outPath), journalPath).split(sep).join('/');
    const output = new BufferedText(file);
    await output.add(header(survey, journal, totals));
    let separator = '\n';
    for await (const { pieces } of journalTaskRuns(journalPath, survey)) {
      await output.add(separator);
      for await (const piece of pieces) await output.add(piece);
      separator = ',\n';
    }
    await output.add('\n]}\n');
    await output.flush();
    await file.close();
    await rename(draft, target);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  return totals;
}

/** A symbolic link stays one, also if there is nothing behind it yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

/** Everything before the task runs, which come one on each line. */
function header(survey: JournalSurvey, journal: string, totals: ResultTotals): string {
  const { started, evaluation, startedAt, durationMs } = survey;
  const { finished, interrupted, bailed, resumed } = survey;
  const { text } = jsonObject({
    schema: resultsSchemaName,
    proctor: started.proctor,
    id: evaluation.id,
    eval: evaluation.eval,
    journal,
    startedAt,
    durationMs,
    agent: evaluation.agent,
    judge: evaluation.judge ?? null,
    mcpServers: serversOf(survey),
    options: evaluation.options,
    environment: evaluation.environment,
    finished,
    interrupted,
    bailed,
    resumed,
    totals,
    ...survey.warnings.members,
  });
  return `${text.slice(0, -1)},\n"taskRuns":[`;
}

function serversOf({ started, servers }: JournalSurvey) {
  return jsonArray(
    started.mcpServers.map(({ name, transport }) => {
      const { protocolVersion, serverInfo, tools, resources, resourceTemplates, prompts } =
        servers.get(name) ?? {};
      const { allowedTools } = servers.get(name) ?? {};
      const offered = { tools, resources, resourceTemplates, prompts, allowedTools };
      return jsonObject({ name, transport, protocolVersion, serverInfo, ...offered });
    }),
  );
}

const chunkLength = 256 * 1024;

/** Few large writes in place of many small ones. */
class BufferedText {
  readonly #file: FileHandle;
  #texts: string[] = [];
  #length = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(text: string): Promise<void> {
    this.#texts.push(printableJson(text));
    this.#length += text.length;
    if (this.#length >= chunkLength) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#texts.join('');
    this.#texts = [];
    this.#length = 0;
    await this.#file.appendFile(text);
  }
}
