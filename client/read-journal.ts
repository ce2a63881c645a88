import type { JournalEntry } from '../plan/run/journal';
import type { ArtifactStore } from '../records/artifact-store';
import { readJournalPage } from '../records/journal/journal-pages';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { describeRun } from './find-run';
import { hasEnded } from './outcome';
import { readOutcome } from './read-outcome';
import { readJournalView } from './read-run';

type RunEntry = Extract<JournalEntry, { kind: 'run' }>;

/**
 * Journal entries after number `after`, a page at a time, in order: one page is in memory at once, however long the run was.
 *
 * Invariant: numbers follow each other without gaps; if a page lacks entries it fails with `run.unreadable`. A page that is not in the
 * store fails with `artifact.missing`.
 *
 * A run that the server closed has written no last entry: one is made from the server's word.
 */
export async function* journalPages(
  client: ThermidorClient,
  run: string,
  artifacts: Pick<ArtifactStore, 'get'>,
  after = 0,
): AsyncGenerator<JournalEntry[]> {
  let last = after;
  let saidItsEnd = false;
  let nextSeq = Number.POSITIVE_INFINITY;
  const next = (entries: readonly JournalEntry[]): JournalEntry[] => {
    const fresh = entries.filter((entry) => entry.seq > last);
    for (const { seq } of fresh) {
      if (seq !== last + 1) throw incomplete(run, last + 1, seq - 1);
      last = seq;
    }
    saidItsEnd ||= fresh.some((entry) => entry.kind === 'run' && hasEnded(entry.state));
    return fresh;
  };
  while (last + 1 < nextSeq) {
    const before = last;
    const view = await readJournalView(client, run, before);
    // Entries written meanwhile are for the next reader.
    nextSeq = Math.min(nextSeq, view.nextSeq);
    for (const page of view.pages) {
      if (page.toSeq <= last) continue;
      yield next(await readJournalPage(artifacts, page.ref));
      if (last < page.toSeq) throw incomplete(run, last + 1, page.toSeq);
    }
    const rest = next(view.entries);
    if (rest.length > 0) yield rest;
    if (last === before) break;
  }
  // A caller that has read the end asks for later entries.
  const end = last + 1 === nextSeq && !saidItsEnd ? await serversWord(client, run) : undefined;
  if (end) yield [{ seq: last + 1, ...end }];
}

/** The last entry of a run that the server itself closed. */
async function serversWord(client: ThermidorClient, run: string): Promise<Omit<RunEntry, 'seq'> | undefined> {
  const summary = await describeRun(client, run);
  if (summary?.state !== 'failed') return undefined;
  const { error } = (await readOutcome(client, run)) ?? {};
  if (error?.code !== 'terminated' && error?.code !== 'timeout') return undefined;
  return { kind: 'run', state: 'failed', at: summary.endedAt ?? summary.startedAt, reason: 'ended by the server', error };
}

/** All of them at once. */
export async function readJournal(
  client: ThermidorClient,
  run: string,
  artifacts: Pick<ArtifactStore, 'get'>,
  after = 0,
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const page of journalPages(client, run, artifacts, after)) entries.push(...page);
  return entries;
}

function incomplete(run: string, from: number, to: number): ClientProblem {
  return new ClientProblem('run.unreadable', `the journal of run "${run}" lacks its entries ${from} to ${to}`, {
    hint: 'is this the store of the workers that ran it?',
  });
}
