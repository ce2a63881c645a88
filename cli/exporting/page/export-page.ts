import { html, raw } from 'hono/html';
import { hasEnded } from '../../../client/outcome';
import { starterText } from '../../../plan/people/starter';
import { elapsed, timeIn } from '../../rendering/text/time';
import { costSection } from './costs';
import { decisionSection } from './decisions';
import { fileSection } from './files';
import { type Markup, shown } from './html';
import { journalSection } from './journal';
import { outputSection } from './outputs';
import type { PagedExport, PagedRun } from './paged-run';
import { stepSection } from './steps';
import { POLICY, STYLE } from './style';

/** One page that needs nothing else: no script, no network, no other file. Written piece by piece, as a run may have 10,000 steps. */
export async function* exportPage(exported: PagedExport): AsyncGenerator<string> {
  const { manifest, runs } = exported;
  yield `${await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex"><title>${shown(manifest.run)}</title><style>${raw(STYLE)}</style></head><body>
`}`;
  for (const [at, run] of runs.entries()) {
    for (const piece of runSections(exported, run, at)) yield `${await piece}\n`;
  }
  yield '</body></html>\n';
}

function* runSections(exported: PagedExport, run: PagedRun, at: number): Generator<Markup> {
  yield headOf(exported, run, at);
  yield* stepSection(run, at, Date.parse(exported.manifest.exportedAt));
  yield* decisionSection(run);
  yield* costSection(run);
  yield* outputSection(exported, run, at);
  yield* journalSection(exported, run);
  yield* fileSection(exported, run);
}

function headOf({ manifest, runs }: PagedExport, { view, parent }: PagedRun, at: number): Markup {
  const { run, pipeline, description, state, startedAt, endedAt, owner, startedBy, script, error, reason, args } = view;
  const fact = (name: string, value: string | undefined): Markup | undefined =>
    value === undefined || value === '' ? undefined : html`<dt>${name}</dt><dd>${shown(value)}</dd>`;
  const isOpen = !hasEnded(state);
  const nowMs = Date.parse(manifest.exportedAt);
  const given = Object.keys(args).length === 0 ? undefined : JSON.stringify(args, null, 2);
  return html`${at === 0 ? html`<h1 id="run-0">${shown(run)}</h1>` : html`<hr><h1 id="run-${at}">${shown(run)}</h1>`}
${description === undefined ? undefined : html`<p>${shown(description)}</p>`}
${isOpen ? html`<p class="note">This run had not ended when it was exported. What you see is its state at ${timeIn(manifest.exportedAt, 'UTC')} UTC.</p>` : undefined}
<dl><dt>State</dt><dd class="${state}">${state}</dd>
${fact('Pipeline', pipeline)}${fact('Child of', parent && `${parent.run}, ${parent.step}`)}${fact('Owner', owner)}
${fact('Started', `${timeIn(startedAt, 'UTC')} UTC${startedBy === undefined ? '' : ` by ${starterText(startedBy)}`}`)}
${fact('Ended', endedAt && `${timeIn(endedAt, 'UTC')} UTC`)}${fact('Took', elapsed(startedAt, endedAt, nowMs))}
${fact('Agents', script && `played by the script ${script}`)}
${fact('Failure', error && `${error.code}: ${error.message}`)}${fact('Reason', reason)}
${at === 0 ? fact('Exported', `${timeIn(manifest.exportedAt, 'UTC')} UTC by Thermidor ${manifest.by}`) : undefined}</dl>
${given === undefined ? undefined : html`<details><summary>Args</summary><pre>${shown(given)}</pre></details>`}
${at === 0 && runs.length > 1 ? html`<p>Children: ${runs.slice(1).map(({ view: child }, n) => html`<a href="#run-${n + 1}">${shown(child.run)}</a> <span class="${child.state}">${child.state}</span> `)}</p>` : undefined}`;
}
