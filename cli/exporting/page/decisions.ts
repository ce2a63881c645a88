import { html } from 'hono/html';
import type { Decision } from '../../../plan/people/gate';
import type { JournalEntry } from '../../../plan/run/journal';
import { timeIn } from '../../rendering/text/time';
import { type Markup, shown } from './html';
import type { PagedRun } from './paged-run';

/** Gates, with what was asked, and who decided what. */
export function* decisionSection({ view, shown: entries }: PagedRun): Generator<Markup> {
  const asked = entries.filter((entry) => (entry.kind === 'gate' && entry.event === 'opened') || entry.kind === 'decision');
  if (asked.length === 0 && view.gates.length === 0) return;
  yield html`<h2>Gates and decisions</h2>`;
  for (const entry of asked) yield entryOf(entry);
  for (const { step, question, approvers } of view.gates)
    yield html`<p class="note">Open at ${shown(step)}: ${shown(question)} ${approvers === undefined ? 'Anyone' : shown(approvers.join(', '))} may decide.</p>`;
}

function entryOf(entry: JournalEntry): Markup {
  const at = html`<span class="dim">${timeIn(entry.at, 'UTC')} UTC</span>`;
  if (entry.kind === 'gate') return html`<h3>${shown(entry.step)}</h3><p>${at} asked: ${shown(entry.question)}</p>`;
  if (entry.kind !== 'decision') return html``;
  const { choice, by, comment, inPlaceOf, shownSha256 } = entry.decision;
  return html`<p>${at} <strong>${shown(choice)}</strong> by <strong>${shown(by ?? 'nobody named')}</strong>${inPlaceOf === undefined ? '' : shown(` in place of ${inPlaceOf}`)} (${wayOf(entry.decision)}) at ${shown(entry.step)}${comment === undefined ? '' : html`: “${shown(comment)}”`}<br><span class="dim">digest of what was shown: ${shown(shownSha256)}</span></p>`;
}

function wayOf({ via, identity, channel }: Decision): string {
  if (via === 'time-out') return 'the time was up';
  if (via === 'agent') return 'an agent of the escalation chain';
  return identity === 'proven' ? `proven by ${channel ?? 'its channel'}` : 'claimed, not proven';
}
