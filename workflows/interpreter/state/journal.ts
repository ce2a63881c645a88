import { defined } from '../../../plan/defined';
import type { EndContent } from '../../../plan/run/end-content';
import { type HandedEvent, JOURNAL_PAGE_ENTRIES, type JournalEntry, type JournalPage, type JournalView } from '../../../plan/run/journal';
import { isSettled, type StepEnd } from '../../../plan/run/step-state';
import type { RunContext } from '../../run-context';
import type { JournalState } from './state';

const WRITE_PAGE_MS = 60_000;
/** The most entries of one view, however many are in no page yet. */
const VIEW_ENTRIES = 1024;
const VIEW_PAGES = 2048;

/**
 * The run's journal. Invariants: 1. `seq` counts from 1 without gaps, also across continue-as-new; 2. an entry leaves
 * workflow state only after the ledger has taken its page, and those of a run's last page stay in it.
 */
export interface Journal {
  /** Adds an event; one with a time of its own keeps it. */
  add(event: HandedEvent): void;
  pageIsFull(): boolean;
  /** Stores whole pages in the ledger; `rest`: and a smaller one. */
  flush(how?: 'rest'): Promise<void>;
  /** Stores the rest, which stays in state as well, and what the run says of itself as it ends. */
  close(end: () => EndContent): Promise<void>;
  /** The pages in the ledger. */
  readonly pages: readonly JournalPage[];
  /** The first of the entries after a number; for the rest, ask again with the last number of them. */
  view(after: number): JournalView;
}

/**
 * @param itemAt the name of the loop's item that an address is within
 * @param ended called as an entry says that a step has ended
 */
export function createJournal(
  ctx: RunContext,
  state: JournalState,
  itemAt: (address: string) => string | undefined = () => undefined,
  ended: (step: string, end: StepEnd) => void = () => undefined,
): Journal {
  let flushing: Promise<void> | undefined;

  /** How many of the first entries are in the ledger: those of the last page. */
  let kept = 0;
  let isClosed = false;

  async function writePages(smallest: number, end?: () => EndContent): Promise<void> {
    for (;;) {
      const left = state.tail.length - kept;
      // Full pages may have been written already: the last one may be empty.
      if (end ? left === 0 && isClosed : left < smallest) return;
      const entries = nextPage(state.tail.slice(kept));
      const isLast = end !== undefined && entries.length === left;
      isClosed ||= isLast;
      const ref = await ctx.activity(
        'journal',
        { run: ctx.info.firstRunId, entries, ...(isLast ? { last: true, end: end() } : {}) },
        { local: true, kept: true, startToCloseMs: WRITE_PAGE_MS },
      );
      if (ref === null) {
        kept += entries.length;
        continue;
      }
      const fromSeq = entries[0]?.seq ?? 0;
      state.pages.push({ fromSeq, toSeq: fromSeq + entries.length - 1, ref });
      state.tail.splice(kept, entries.length);
    }
  }

  async function alone(write: () => Promise<void>): Promise<void> {
    while (flushing) await flushing;
    flushing = write();
    try {
      await flushing;
    } finally {
      flushing = undefined;
    }
  }

  return {
    add(event) {
      const item = 'step' in event && event.step !== undefined ? itemAt(event.step) : undefined;
      state.tail.push({ seq: state.nextSeq++, at: new Date(ctx.now()).toISOString(), ...defined({ item }), ...event });
      if (event.kind === 'step' && isSettled(event.state)) ended(event.step, event.state);
    },
    pageIsFull: () => flushing === undefined && state.tail.length >= JOURNAL_PAGE_ENTRIES,
    get pages() {
      return state.pages;
    },
    flush: (how) => alone(() => writePages(how ? 1 : JOURNAL_PAGE_ENTRIES)),
    close: (end) => alone(() => writePages(1, end)),
    view(after) {
      const pages = state.pages.filter((page) => page.toSeq > after);
      if (pages.length > VIEW_PAGES) return { pages: pages.slice(0, VIEW_PAGES), entries: [], nextSeq: state.nextSeq };
      const from = state.tail.findIndex((entry) => entry.seq > after);
      const entries = from < 0 ? [] : state.tail.slice(from, from + VIEW_ENTRIES);
      return { pages, entries: entries.slice(0, Math.max(1, fitting(entries))), nextSeq: state.nextSeq };
    },
  };
}

/** The limit in characters, which take up to three bytes each: Temporal accepts nothing over 2 MiB. */
const PAGE_CHARACTERS = 500_000;

/** The oldest entries that make a page: as many as it holds, or fewer if they are large. */
function nextPage(tail: readonly JournalEntry[]): JournalEntry[] {
  const page = tail.slice(0, JOURNAL_PAGE_ENTRIES);
  const fits = fitting(page);
  return fits < 1 ? page : page.slice(0, fits);
}

/** How many of the first entries are together no larger than a page. */
function fitting(entries: readonly JournalEntry[]): number {
  let characters = 0;
  const fits = entries.findIndex((entry) => {
    characters += JSON.stringify(entry).length;
    return characters > PAGE_CHARACTERS;
  });
  return fits < 0 ? entries.length : fits;
}
