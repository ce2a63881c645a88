import { html } from 'hono/html';
import { createColors } from 'picocolors';
import { filesOf } from '../../../records/exports/exported-run';
import { renderEntry } from '../../rendering/journal';
import { linkTo, type Markup, shown } from './html';
import type { PagedExport, PagedRun } from './paged-run';

/** The journal, a line an entry. */
export function* journalSection({ files }: PagedExport, { view, shown: entries, entries: all }: PagedRun): Generator<Markup> {
  const whole = filesOf({ files }, view.run).document('journal');
  if (entries.length === 0) return;
  yield html`<h2>Journal</h2><details><summary>${entries.length < all ? `${entries.length} of ${all} entries` : `${all} entries`}</summary><div class="scroll"><pre>`;
  const plain = createColors(false);
  for (const entry of entries) yield html`${shown(renderEntry(entry, plain))}`;
  yield html`</pre></div></details>${whole === undefined ? undefined : html`<p>All of it: <a href="${linkTo(whole.path)}">${whole.path}</a></p>`}`;
}
