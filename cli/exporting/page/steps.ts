import { html } from 'hono/html';
import type { RoundView, StepView } from '../../../plan/run/status';
import { parseAddress } from '../../../plan/steps/address';
import { readableAddress } from '../../rendering/step-tree';
import { elapsed, timeIn } from '../../rendering/text/time';
import { renderUsage } from '../../rendering/text/usage';
import { whoOf } from '../../rendering/tree-facts';
import { type Markup, shown } from './html';
import type { PagedRun } from './paged-run';

const DEEPEST = 4;

/** The timeline: a row for each round of each step, with a bar where it lies within the run. */
export function* stepSection({ view }: PagedRun, at: number, nowMs: number): Generator<Markup> {
  if (view.steps.length === 0) return;
  const from = Date.parse(view.startedAt);
  const span = Math.max(1, (view.endedAt === undefined ? nowMs : Date.parse(view.endedAt)) - from);
  yield html`<h2>Steps</h2><div class="scroll"><table><thead><tr><th>Step</th><th>State</th><th class="wide">Who</th><th class="wide">Began (UTC)</th><th class="n">Time</th><th class="bar">When</th><th class="wide">Cost</th><th>Says</th></tr></thead><tbody>`;
  for (const [n, step] of view.steps.entries()) {
    const depth = Math.min(DEEPEST, (parseAddress(step.address)?.path.length ?? 1) - 1);
    for (const round of [...(step.superseded ?? []), step]) {
      yield html`<tr><td class="d${depth}">${outputLink(round, step, `${at}-${n}`)}</td><td class="${round.state} t">${round.state}</td><td class="wide">${shown(whoOf(step))}</td><td class="t wide">${round.startedAt === undefined ? '' : timeIn(round.startedAt, 'UTC')}</td><td class="n">${elapsed(round.startedAt, round.endedAt, nowMs)}</td><td class="bar">${bar(round, from, span, nowMs)}</td><td class="t wide">${round.usage === undefined ? '' : renderUsage(round.usage)}</td><td>${shown(sayingOf(round, step))}</td></tr>`;
    }
  }
  yield html`</tbody></table></div>`;
}

function outputLink(round: RoundView, step: StepView, id: string): Markup {
  const name = shown(`${readableAddress(round.address)}${step.item === undefined ? '' : ` (${step.item})`}`);
  return round.artifact === undefined ? html`${name}` : html`<a href="#out-${id}-${round.round}-${round.try}">${name}</a>`;
}

function sayingOf(round: RoundView, step: StepView): string {
  const { verdict, error } = round;
  const said = [verdict && `${verdict.verdict}: ${verdict.summary ?? ''}`, error && `${error.code}: ${error.message}`];
  const { decision, waitingFor, skipped, child } = step;
  const decided = decision && `${decision.choice} by ${decision.by ?? 'nobody named'}`;
  const now = round === step ? [decided, waitingFor && `waits for ${waitingFor}`, skipped, child && `run ${child}`] : [];
  return [...said, ...now].filter((one) => one !== undefined && one !== '').join('; ');
}

const WIDTH = 1000;

function bar({ startedAt, endedAt, state }: RoundView, from: number, span: number, nowMs: number): Markup | string {
  if (startedAt === undefined) return '';
  const end = endedAt === undefined ? nowMs : Date.parse(endedAt);
  const place = (ms: number): number => Math.round(Math.min(1, Math.max(0, (ms - from) / span)) * WIDTH);
  const x = Math.min(WIDTH - 4, place(Date.parse(startedAt)));
  return html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="${state}" x="${x}" width="${Math.max(4, place(end) - x)}" height="10"/></svg>`;
}
