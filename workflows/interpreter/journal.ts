import { JOURNAL_PAGE_ENTRIES, type JournalEntry, type JournalEvent, type JournalView } from '../../plan/journal';
import type { RunContext } from '../run-context';
import type { JournalState } from './state';

const WRITE_PAGE_MS = 60_000;

/**
 * The run's journal. Invariants: 1. `seq` counts from 1 without gaps, also across continue-as-new; 2. an entry leaves
 * workflow state only after the ledger has taken its page.
 */
export interface Journal {
  add(event: JournalEvent): void;
  pageIsFull(): boolean;
  /** Hands whole pages to the ledger; `all` hands over the rest as well. */
  flush(all?: 'all'): Promise<void>;
  view(after: number): JournalView;
}

export function createJournal(ctx: RunContext, state: JournalState): Journal {
  let flushing: Promise<void> | undefined;

  async function writePages(smallest: number): Promise<void> {
    while (state.tail.length > 0 && state.tail.length >= smallest) {
      const entries = nextPage(ctx, state.tail);
      const ref = await ctx.activity(
        'journal',
        { run: ctx.info.firstRunId, entries },
        { local: true, kept: true, startToCloseMs: WRITE_PAGE_MS },
      );
      const fromSeq = entries[0]?.seq ?? 0;
      state.pages.push({ fromSeq, toSeq: fromSeq + entries.length - 1, ref });
      state.tail.splice(0, entries.length);
    }
  }

  return {
    add(event) {
      state.tail.push({ seq: state.nextSeq++, at: new Date(ctx.now()).toISOString(), ...event });
    },
    pageIsFull: () => flushing === undefined && state.tail.length >= JOURNAL_PAGE_ENTRIES,
    async flush(all) {
      while (flushing) await flushing;
      flushing = writePages(all ? 1 : JOURNAL_PAGE_ENTRIES);
      try {
        await flushing;
      } finally {
        flushing = undefined;
      }
    },
    view(after) {
      return {
        pages: state.pages.filter((page) => page.toSeq > after),
        entries: state.tail.filter((entry) => entry.seq > after),
        nextSeq: state.nextSeq,
      };
    },
  };
}

/** In characters, which take up to three bytes each: Temporal takes nothing over 2 MiB. */
const PAGE_CHARACTERS = 500_000;

/** The oldest entries that make a page: as many as it holds, and fewer where they are large. */
function nextPage(ctx: RunContext, tail: readonly JournalEntry[]): JournalEntry[] {
  const page = tail.slice(0, JOURNAL_PAGE_ENTRIES);
  let characters = 0;
  const fits = page.findIndex((entry) => {
    characters += JSON.stringify(entry).length;
    return characters > PAGE_CHARACTERS;
  });
  return fits < 1 || !ctx.patched('journal-pages-by-size') ? page : page.slice(0, fits);
}
