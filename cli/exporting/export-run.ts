import { createHash } from 'node:crypto';
import { SCRIPTED } from '../../activities/toolbox';
import type { JournalEntry } from '../../plan/run/journal';
import { jsonText } from '../../plan/text/json-text';
import { readPaid } from '../../records/accounts/read-paid';
import { type CostGroup, type Paid, rowsBy, sumOf } from '../../records/accounts/sum';
import {
  CALL_FILES,
  DOCUMENTS,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportManifest,
  type Holds,
} from '../../records/exports/export-manifest';
import { ExportProblem } from '../../records/exports/export-problem';
import { PortableNames } from '../../records/exports/portable-name';
import { type ExportWriter, writeExport } from '../../records/exports/write-export';
import { version } from '../version';
import { callDocuments } from './call-documents';
import { exportContents } from './export-content';
import { NamedContents } from './named-content';
import { exportPage } from './page/export-page';
import type { PagedRun } from './page/paged-run';
import { type ExportSource, type RunToExport, runsToExport } from './runs-to-export';

export interface ExportOrder {
  run: string;
  folder: string;
  /** Exports what it cannot mask as it is. */
  unmasked: boolean;
  at: Date;
  /** Gets what the export lacks, in words. */
  warn(line: string): void;
}

/** Entries of the journal, and of decisions, that the page shows of a run. */
const SHOWN_ENTRIES = 2_000;

/**
 * Exports a run with its children, as they are now. Fails with `export.unmasked` if there is no access here to a secret of theirs, as
 * `writeExport`, and as the queries of a run.
 */
export function exportRun(source: ExportSource, { run, folder, unmasked, at, warn }: ExportOrder): Promise<ExportManifest> {
  return writeExport(folder, async (writer) => {
    const runs = await runsToExport(source, run, (child, why) => warn(`the child ${child} is left out: ${why}`));
    const [top] = runs;
    const unknown = [...new Set(runs.flatMap(({ secrets }) => secrets.missing))];
    if (unknown.length > 0 && !unmasked) throw cannotMask(unknown);
    const contents = new NamedContents();
    const read = await readJournals(runs, contents);
    const mask = (text: string): string => runs.reduce((masked, { secrets }) => secrets.mask(masked), text);
    const exported = await exportContents(writer, source.records, contents.values(), mask);
    if (exported.missing.length > 0) warn(`${exported.missing.length} outputs are not in the store any more`);
    const folders = new PortableNames();
    const paged: PagedRun[] = [];
    for (const [at, one] of runs.entries()) {
      const place = `runs/${folders.take(one.key.workflowId, digestOf(one.key.workflowId), '')}`;
      await addDocuments(writer, place, one, exported.rewritten, read[at]?.last ?? 0);
      const paid = await addCalls(writer, place, one, source);
      paged.push({ ...one.exported, paid, shown: read[at]?.shown ?? [], entries: read[at]?.last ?? 0 });
    }
    const paid = paged.flatMap((one) => one.paid);
    await writer.add('costs.json', [`${JSON.stringify(costsOf(run, paid), null, 2)}\n`], { kind: 'costs' });
    const { view } = top?.exported ?? {};
    const manifest = {
      ...({
        format: EXPORT_FORMAT,
        version: EXPORT_VERSION,
        run,
        pipeline: view?.pipeline ?? '',
        state: view?.state ?? 'running',
      } as const),
      ...{ exportedAt: at.toISOString(), by: version(), missing: exported.missing },
    };
    await writer.add('index.html', exportPage({ manifest, runs: paged, contents: exported.files, files: writer.files }), { kind: 'page' });
    return manifest;
  });
}

function cannotMask(references: readonly string[]): ExportProblem {
  return new ExportProblem(
    'export.unmasked',
    `${references.join(', ')} cannot be resolved here, so outputs may show these secrets`,
    'export where a worker runs, with its environment; or see what the outputs have, and add --unmasked',
  );
}

interface ReadJournal {
  /** The number of its last entry. */
  last: number;
  /** What the page shows: the first entries, and questions and decisions of people. */
  shown: JournalEntry[];
}

async function readJournals(runs: readonly RunToExport[], contents: NamedContents): Promise<ReadJournal[]> {
  const journals: ReadJournal[] = [];
  for (const { exported, planText, journal } of runs) {
    contents.takeFrom(exported);
    if (planText !== undefined) contents.takeFromPlan(planText);
    const read: ReadJournal = { last: 0, shown: [] };
    let more = 0;
    for await (const page of journal()) {
      for (const entry of page) {
        contents.takeFrom(entry);
        read.last = entry.seq;
        const isDecision = entry.kind === 'decision' || entry.kind === 'gate';
        if (read.shown.length < SHOWN_ENTRIES || (isDecision && more++ < SHOWN_ENTRIES)) read.shown.push(entry);
      }
    }
    journals.push(read);
  }
  return journals;
}

async function addDocuments(
  writer: ExportWriter,
  place: string,
  { key: { workflowId: run }, exported, planText, journal }: RunToExport,
  rewritten: (text: string) => string,
  last: number,
): Promise<void> {
  const add = (kind: keyof typeof DOCUMENTS, texts: Parameters<ExportWriter['add']>[1]) =>
    writer.add(`${place}/${DOCUMENTS[kind]}`, texts, { kind, run } satisfies Holds);
  await add('run', [rewritten(`${jsonText(exported, { step: '  ' })}\n`)]);
  if (planText !== undefined) await add('plan', [planText]);
  async function* lines(): AsyncGenerator<string> {
    for await (const page of journal(last)) yield page.map((entry) => `${rewritten(jsonText(entry))}\n`).join('');
  }
  await add('journal', lines());
}

/** @returns what the run's agents cost */
async function addCalls(writer: ExportWriter, place: string, { key }: RunToExport, { records }: ExportSource): Promise<Paid[]> {
  const names = { transcript: new PortableNames(), log: new PortableNames() };
  for await (const { holds, pieces } of callDocuments(records, key)) {
    if (holds.kind === 'accounts') {
      await writer.add(`${place}/${DOCUMENTS.accounts}`, pieces, holds);
      continue;
    }
    const { folder, ending } = CALL_FILES[holds.kind];
    const name = names[holds.kind].take(`${holds.call}${ending}`, digestOf(holds.call), ending);
    await writer.add(`${place}/${folder}/${name}`, pieces, holds);
  }
  return await readPaid(records.runs, [key]);
}

function costsOf(run: string, all: readonly Paid[]) {
  const counted = all.filter(({ adapter }) => adapter !== SCRIPTED);
  const groups: readonly CostGroup[] = ['run', 'step', 'agent', 'model', 'day'];
  const by = Object.fromEntries(groups.map((group) => [group, rowsBy(counted, group)]));
  return { run, total: sumOf(counted), by, scripted: all.length - counted.length };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
