import type { MinedJournal } from '../../plan/memory/post-mortem-activities';
import { EXECUTION_DOCUMENT, type PostMortemGiven, type PostMortemValues, retrospectiveDocument } from '../../plan/patterns/post-mortem';
import type { ArtifactRef } from '../../plan/run/artifact';
import { duration } from '../../plan/text/duration';
import type { AllEnd, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter, Perform } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';
import { keepLessons, mineJournal } from './keep';
import { MOST_ASKED } from './rules/spec';

/**
 * A run looks back on itself (docs/patterns.md, CP-10): journal → retrospectives → report → memory.
 *
 * Invariants: 1. the summary is the journal's; 2. each agent is asked once, and the journal's findings replace a late answer; 3. the end of
 * the run is decided before, and nothing here changes it.
 */
export const performPostMortem: Perform<'post_mortem'> = async (it, place, record, ctx) => {
  const { run } = it;
  const { occasion } = place.step;
  const isAsked = ctx.once('asked', () => run.state.postMortem !== undefined);
  if (occasion === 'asked' && !isAsked) return { skipped: true, reason: 'nobody asked for a post-mortem' };
  const mined = await mineJournal(it, place, ctx);
  const asks = occasion !== 'notable' || isAsked || mined.notable;
  const { asked, documents } = await retrospectives(it, place, ctx, mined, asks ? whoIsAsked(place, mined) : []);
  const timestamp = ctx.once('timestamp', () => new Date(run.ctx.now()).toISOString());
  const call = { rule: 'post-mortem', given: { team: run.plan.name, timestamp, asked } } as const;
  const report = await decide<'post-mortem'>(it, place, ctx, 'report', () => ({ call, documents }));
  ctx.once('reported', () => {
    tell(it, place, report.values);
    // The report is the step's output even if writing the files fails.
    recordOutput(record, place.step, { artifact: report.artifact });
  });
  await keepLessons(it, place, record, ctx, report.artifact);
  return { reason: asks ? 'the agents looked back on the run' : 'nothing was notable, so no agent was asked' };
};

function whoIsAsked({ step: { asked, takers } }: PlaceOf<'post_mortem'>, mined: MinedJournal): PlaceOf<'post_mortem'>['step']['asked'] {
  return takers ? asked.filter(({ agent }) => mined.agents.includes(agent)) : asked;
}

/** All agents at once, each once; beyond `MOST_ASKED` the journal has the work of the rest. */
async function retrospectives(
  it: Interpreter,
  place: PlaceOf<'post_mortem'>,
  ctx: StepContext,
  { artifact: execution }: MinedJournal,
  agents: PlaceOf<'post_mortem'>['step']['asked'],
): Promise<{ asked: PostMortemGiven['asked']; documents: Record<string, ArtifactRef> }> {
  const { timeoutMs } = place.step;
  const documents: Record<string, ArtifactRef> = { [EXECUTION_DOCUMENT]: execution };
  if (agents.length === 0) return { asked: [], documents };
  const given = { [EXECUTION_DOCUMENT]: execution };
  const branches = agents
    .slice(0, MOST_ASKED)
    .map(({ agent, part }) => [agent, { part: partOf(it, place, part), turn: 1, given }] as const);
  const end = await ctx.all('retrospectives', Object.fromEntries(branches), { timeoutMs });
  const asked = agents.map(({ agent }, i) => {
    if (i >= MOST_ASKED) return { agent, missing: `at most ${MOST_ASKED} agents are asked` };
    const answer = (end.ended[agent] as PartEnd | undefined)?.artifact;
    if (!answer) return { agent, missing: whyMissing(end, agent, timeoutMs) };
    documents[retrospectiveDocument(agent)] = answer;
    return { agent };
  });
  return { asked, documents };
}

function whyMissing({ failed, missing }: AllEnd, agent: string, timeoutMs: number): string {
  const failure = failed[agent];
  if (failure) return `${failure.code}: ${failure.message}`;
  return missing.includes(agent) ? `it had not answered after ${duration(timeoutMs)}` : 'it was skipped';
}

/** The journal gets the findings of agents that have answered; for the others it has the facts already. */
function tell(it: Interpreter, place: PlaceOf<'post_mortem'>, { findings }: PostMortemValues): void {
  for (const { agent, from, finding } of findings)
    if (from === 'retrospective') journalFeedback(it, place, { type: 'retro_finding', from: agent, data: finding });
  it.changed();
}
