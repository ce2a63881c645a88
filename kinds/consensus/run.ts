import { defined } from '../../plan/defined';
import { PROPOSAL_DOCUMENT } from '../../plan/people/vote';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { collectBallots, personalVote } from './ballots';
import { DEFAULT_PART, REVISE_PART } from './model';
import { earlierDocument, REPORT_DOCUMENT, type ReportValues } from './rules/tally-report';
import type { VotePosition } from './state';
import { begunIn, conclude, firstPosition, keepPosition, noteOutcome, tallyGiven, type VoteRound, type VoteStep } from './vote';

/**
 * Agents and people vote on a proposal (docs/patterns.md, CP-4): proposal → votes → tally, and once more with a revised proposal.
 *
 * Invariants: 1. the rule alone counts votes (`kinds/consensus/rules/tally.ts`), no agent is asked; 2. a round is a turn, and its proposal
 * has an id of its own;
 * 3. a try after a failure continues in the round that broke off, and one after a failed vote begins with a vote of its own.
 */
export async function performConsensus(
  it: Interpreter,
  place: PlaceOf<'consensus'>,
  _record: StepRecord,
  ctx: StepContext,
): Promise<WorkEnd> {
  return await withinTime(it, place, ctx, place.step.blockedAfterMs, (own) => vote({ it, place }, own));
}

async function vote(step: VoteStep, ctx: StepContext): Promise<WorkEnd> {
  const { it, place } = step;
  const first = ctx.once('first', () => firstPosition(step));
  const { report, passed, message } = await ctx.loop('rounds', first, (round, position) => takeRound(step, round, position));
  await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact: report }));
  ctx.once('concluded', () => conclude(step, passed));
  if (passed) return { reason: message };
  return { cause: { kind: 'exhausted', code: 'consensus.failed', message, overruled: await ifOverruled(step, ctx, report) } };
}

interface Concluded {
  report: ArtifactRef;
  passed: boolean;
  message: string;
}

async function takeRound(step: VoteStep, ctx: StepContext, position: VotePosition): Promise<{ next: VotePosition } | { done: Concluded }> {
  const { it, place } = step;
  const { turn, round, earlier } = position;
  const asked = await propose(step, ctx, position);
  const { ballots, documents } = await collectBallots(step, ctx, asked);
  const before = Object.fromEntries(earlier.map((ref, i) => [earlierDocument(i + 1), ref]));
  const given = tallyGiven(step, asked.ballot, ballots);
  const proposal = asked.given[PROPOSAL_DOCUMENT];
  const known = { ...documents, ...before, ...defined({ [PROPOSAL_DOCUMENT]: proposal }) };
  const tally = await decide<'tally'>(it, place, ctx, `tally-${turn}`, () => ({ call: { rule: 'tally', given }, documents: known }));
  ctx.once('counted', () => noteOutcome(step, asked, tally.values));
  const report = tally.values.outcome === 'all-abstained' ? await askDefault(step, ctx, asked, tally.artifact) : tally;
  const { passed } = report.values;
  if (passed || round >= place.step.rounds) return { done: { report: report.artifact, passed, message: wordsOf(step, report.values) } };
  const call = { turn, given: { ...asked.given, [REPORT_DOCUMENT]: report.artifact } };
  const { artifact: revised } = await ctx.step(partOf(it, place, REVISE_PART), call);
  if (!revised) throw bug(`the proposal of ${it.run.name(place.path)} was revised, but the revision has no output`);
  return { next: { turn: turn + 1, round: round + 1, revised, earlier: [...earlier, report.artifact] } };
}

/** The proposal as voters get it, under an id of its own. */
async function propose(step: VoteStep, ctx: StepContext, position: VotePosition): Promise<VoteRound> {
  const { it, place } = step;
  const { turn, round, revised, earlier } = position;
  const { id: name, timeoutMs } = place.step;
  // The step's own rounds count their turns anew.
  const again = begunIn(step);
  const id = `${name}-${again > 1 ? `${again}.` : ''}${turn}`;
  const deadline = ctx.once('deadline', () => {
    keepPosition(step, position);
    return new Date(it.run.ctx.now() + timeoutMs).toISOString();
  });
  const { artifact, values } = await decide<'propose'>(it, place, ctx, `proposal-${turn}`, () => ({
    call: { rule: 'propose', given: { id, title: name, deadline, from: revised ? 'revised' : 'matter', ...askedFor(step) } },
    ...(revised ? { documents: { revised } } : { readsMatter: true }),
  }));
  const { title, options } = values;
  ctx.once('proposed', () => {
    const context = { $ref: artifact.name ?? id, sha256: artifact.sha256 };
    const data = { id, title, context, ...(options.length > 0 ? { options: options.map((one) => ({ id: one })) } : {}), deadline };
    journalFeedback(it, place, { type: 'proposal', data });
  });
  const last = earlier.at(-1);
  return {
    turn,
    round,
    title,
    ballot: { proposalId: id, options },
    given: { [PROPOSAL_DOCUMENT]: artifact, ...defined({ earlier: last }) },
  };
}

/** The wish of the person who sent it back. */
function askedFor({ it, place }: VoteStep): { asked_for?: string } {
  const { instructions } = it.run.record(place.path).brief?.findings ?? {};
  return instructions === undefined ? {} : { asked_for: instructions };
}

function wordsOf({ it, place }: VoteStep, report: ReportValues): string {
  const { outcome, approvals, needed, option, missing, rejections, abstentions, blocking } = report;
  const name = it.run.name(place.path);
  const chosen = option === undefined ? '' : ` for ${option}`;
  if (outcome === 'decided') return `${name}: all abstained, and somebody decided in their place`;
  if (outcome === 'too-few') return `${name}: fewer than half have voted, ${missing.join(', ')} have not`;
  if (outcome === 'all-abstained') return `${name}: all abstained, and nobody decided in their place`;
  const blocked = blocking === undefined ? '' : `, and ${blocking.join(', ')} ${blocking.length > 1 ? 'block' : 'blocks'} it`;
  const abstained = abstentions === 0 ? '' : `, ${abstentions} ${abstentions === 1 ? 'abstains' : 'abstain'}`;
  return `${name}: ${approvals} ${approvals === 1 ? 'approval' : 'approvals'}${chosen} (${needed} needed), ${rejections} against${abstained}${blocked}`;
}

/** Its output, if somebody above lets it pass. */
async function ifOverruled(step: VoteStep, ctx: StepContext, report: ArtifactRef) {
  const { it, place } = step;
  const call = { rule: 'conclude', given: {} } as const;
  const { artifact } = await decide<'conclude'>(it, place, ctx, 'overruled', () => ({ call, documents: { [REPORT_DOCUMENT]: report } }));
  const options = { address: `${it.run.address(place.path)}/overruled-output`, startToCloseMs: QUICK_ACTIVITY_MS };
  return await ctx.call(
    'overruled-output',
    'compose',
    () => ({ run: it.run.ctx.info.firstRunId, from: { kind: 'artifact', artifact } }),
    options,
  );
}

/** All abstained: the coordinator decides in their place, and the report says so. */
async function askDefault(
  step: VoteStep,
  ctx: StepContext,
  round: VoteRound,
  report: ArtifactRef,
): Promise<{ artifact: ArtifactRef; values: ReportValues }> {
  const { it, place } = step;
  const { turn, ballot, given } = round;
  const part = partOf(it, place, DEFAULT_PART);
  const isAgent = 'agent' in part;
  const end = await ctx.step(part, { turn, given: { ...given, [REPORT_DOCUMENT]: report }, ...(isAgent ? {} : { ballot }) });
  const vote: Json | undefined = isAgent ? undefined : personalVote(end.values ?? {}, ballot);
  const by = isAgent ? part.agent : byOf(end);
  const documents = { [REPORT_DOCUMENT]: report, ...(isAgent && end.artifact ? { default: end.artifact } : {}) };
  const standIn = { ...ballot, by, ...defined({ vote }) };
  const call = { rule: 'conclude', given: { default: standIn } } as const;
  const decided = await decide<'conclude'>(it, place, ctx, `default-${turn}`, () => ({ call, documents }));
  ctx.once('decided', () => {
    journalFeedback(it, place, { type: 'vote', from: by, data: vote ?? { ...end.values } });
    noteOutcome(step, round, decided.values, by);
  });
  return decided;
}

function byOf({ values = {} }: PartEnd): string {
  const by = values['by'];
  return typeof by === 'string' ? by : 'a person';
}
