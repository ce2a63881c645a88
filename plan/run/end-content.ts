import type { JournalEntry, JournalPage } from './journal';
import type { RunResult } from './run-result';
import type { RunView } from './status';

/** What a run says of itself as it ends, with its last page of the journal: the content of its record. */
export interface EndContent {
  /** With all steps. */
  view: RunView;
  /** Absent: it failed or was cancelled, or only the server has ended it. */
  result?: RunResult;
  /** The whole journal: pages in the store, and the entries after them. */
  journal: { pages: JournalPage[]; entries: JournalEntry[] };
  /** What a rerun begins from. Its content is the interpreter's own business. Absent: it was too large. */
  state?: object;
}
