import type { JournalEntry } from '../plan/run/journal';
import type { ArtifactStore } from '../records/artifact-store';
import { readJournalPage } from '../records/journal/journal-pages';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { readJournalView } from './read-run';

/**
 * Journal entries after number `after`, a page at a time, in order: one page is in memory at once, however long the run was.
 *
 * Invariant: numbers follow each other without gaps; where a page lacks entries it fails with `run.unreadable`. A page that is not
 * in the store fails with `artifact.missing`.
 */
export async function* journalPages(
  client: ThermidorClient,
  run: string,
  artifacts: Pick<ArtifactStore, 'get'>,
  after = 0,
): AsyncGenerator<JournalEntry[]> {
  let last = after;
  const next = (entries: readonly JournalEntry[]): JournalEntry[] => {
    const fresh = entries.filter((entry) => entry.seq > last);
    for (const { seq } of fresh) {
      if (seq !== last + 1) throw incomplete(run, last + 1, seq - 1);
      last = seq;
    }
    return fresh;
  };
  for (let nextSeq = Number.POSITIVE_INFINITY; last + 1 < nextSeq; ) {
    const before = last;
    const view = await readJournalView(client, run, before);
    // What is written while this reads is for the next reader.
    nextSeq = Math.min(nextSeq, view.nextSeq);
    for (const page of view.pages) {
      if (page.toSeq <= last) continue;
      yield next(await readJournalPage(artifacts, page.ref));
      if (last < page.toSeq) throw incomplete(run, last + 1, page.toSeq);
    }
    const rest = next(view.entries);
    if (rest.length > 0) yield rest;
    if (last === before) return;
  }
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
    hint: 'is this the state folder of the workers that ran it?',
  });
}
