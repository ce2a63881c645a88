import { html } from 'hono/html';
import type { RoundView } from '../../../plan/run/status';
import { readableAddress } from '../../rendering/step-tree';
import { bytes } from '../../rendering/text/usage';
import { type ExportedContent, SHOWN_CHARACTERS } from '../export-content';
import { linkTo, type Markup, shown } from './html';
import type { PagedExport, PagedRun } from './paged-run';

/** Outputs of steps: short texts whole, of long ones the beginning, with a link to the file. */
export function* outputSection({ contents }: PagedExport, { view }: PagedRun, at: number): Generator<Markup> {
  let any = false;
  for (const [n, step] of view.steps.entries()) {
    for (const round of [...(step.superseded ?? []), step]) {
      if (round.artifact === undefined) continue;
      if (!any) yield html`<h2>Outputs</h2>`;
      any = true;
      yield outputOf(round, round.artifact, contents.get(round.artifact.sha256), `out-${at}-${n}-${round.round}-${round.try}`);
    }
  }
}

function outputOf(
  { address, state }: RoundView,
  { name, sizeBytes, sha256 }: NonNullable<RoundView['artifact']>,
  content: ExportedContent | undefined,
  id: string,
): Markup {
  const title = html`${shown(readableAddress(address))}: ${shown(name ?? 'output')} <span class="dim">${bytes(sizeBytes)}${state === 'superseded' ? ', superseded' : ''}</span>`;
  if (content === undefined) return html`<p id="${id}">${title}: not in the store any more (sha256 ${shown(sha256)})</p>`;
  const { file, beginning } = content;
  const link = html`<a href="${linkTo(file.path)}">${file.path}</a>`;
  if (beginning === undefined) return html`<p id="${id}">${title}: ${link}</p>`;
  const isCut = beginning.length >= SHOWN_CHARACTERS;
  return html`<details id="${id}"><summary>${title}</summary><pre>${shown(beginning)}</pre><p>${isCut ? 'Only the beginning is shown. All of it: ' : ''}${link}</p></details>`;
}
