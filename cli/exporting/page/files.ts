import { html } from 'hono/html';
import { filesOf } from '../../../records/exports/exported-run';
import { bytes } from '../../rendering/text/usage';
import { linkTo, type Markup, shown } from './html';
import type { PagedExport, PagedRun } from './paged-run';

/** Where in the folder the rest is: what programs printed, what agents said, the plan. */
export function* fileSection({ files }: PagedExport, { view }: PagedRun): Generator<Markup> {
  const of = filesOf({ files }, view.run);
  const documents = (['run', 'plan', 'accounts'] as const).flatMap((kind) => of.document(kind) ?? []);
  yield html`<h2>Files</h2><p>${documents.map(({ path }) => html`<a href="${linkTo(path)}">${path}</a> `)}</p>`;
  for (const [kind, title] of [
    ['log', 'Logs of commands and agents’ programs'],
    ['transcript', 'Transcripts of agents'],
  ] as const) {
    const calls = of.calls(kind);
    if (calls.length === 0) continue;
    yield html`<details><summary>${title} (${calls.length})</summary><ul>`;
    for (const { call, path, sizeBytes } of calls)
      yield html`<li><a href="${linkTo(path)}">${shown(call)}</a> <span class="dim">${bytes(sizeBytes)}</span></li>`;
    yield html`</ul></details>`;
  }
}
