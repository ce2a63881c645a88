import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Json } from '../../plan/text/json';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { personalVote } from './ballots';
import { DEFAULT_PART } from './model';
import { REPORT_DOCUMENT, type ReportValues } from './rules/tally-report';
import { noteOutcome, type VoteRound, type VoteStep } from './vote';

/** All abstained: the coordinator decides in their place, and the report says so. */
export async function askDefault(
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
