import { awaitedVoters, describeCounts, type VoteView } from '../../kinds/consensus/view';
import { describeAdvice } from '../../kinds/consult/view';
import { describeLevel } from '../../kinds/escalate/view';
import type { DeliveryView } from '../../kinds/increments/rules/words';
import { describeCurrent, describeProgress } from '../../kinds/increments/view';
import { describeSwarm } from '../../kinds/swarm/view';
import { awaitedOfTracks, describeSync, type TracksView } from '../../kinds/tracks/view';
import { describeUnrouted } from '../../plan/patterns/unrouted';
import type { StepView } from '../../plan/run/status';
import type { Colors } from '../terminal';
import { oneLine } from './text/printable';

/** How a step of a collaboration pattern stands, in a tree and as news: another pattern is a line in both. */
export function patternFacts({ tracks, delivery, vote, advice, escalation, swarm, unrouted }: StepView, colors: Colors): string[] {
  return [
    ...(tracks ? [describeSync(tracks)] : []),
    ...(delivery ? [describeProgress(delivery)] : []),
    ...(vote ? voteFacts(vote, colors) : []),
    ...(advice ? [oneLine(describeAdvice(advice))] : []),
    ...(escalation ? [oneLine(describeLevel(escalation))] : []),
    ...(swarm ? [oneLine(describeSwarm(swarm))] : []),
    ...(unrouted === undefined ? [] : [colors.yellow(describeUnrouted(unrouted))]),
  ];
}

/** Nothing before anything has been said. */
export function patternWords({ vote, tracks, escalation, advice, swarm, delivery }: StepView): string | undefined {
  if (delivery) return deliveryWords(delivery);
  if (escalation) return describeLevel(escalation);
  if (swarm) return describeSwarm(swarm);
  if (advice) return describeAdvice(advice);
  if (vote?.voters.some((voter) => voter.vote !== undefined)) return voteWords(vote);
  return tracks && tracksWords(tracks);
}

function deliveryWords(delivery: DeliveryView): string {
  return standing(describeProgress(delivery), describeCurrent(delivery));
}

function voteWords(vote: VoteView): string {
  return standing(describeCounts(vote), awaitedVoters(vote).join(', ') || undefined, vote.outcome);
}

function tracksWords(tracks: TracksView): string | undefined {
  const awaited = awaitedOfTracks(tracks);
  const isNews = awaited !== undefined || tracks.linear || tracks.sync.some(({ attempts }) => attempts > 0);
  return isNews ? standing(describeSync(tracks), awaited) : undefined;
}

function standing(stands: string, awaited: string | undefined, end?: string): string {
  return [stands, awaited === undefined ? end : `waits for ${awaited}`].filter((part) => part !== undefined).join('; ');
}

/** How a vote stands; that of a later round says which it is. */
function voteFacts(vote: VoteView, colors: Colors): string[] {
  const { round, rounds, outcome, option } = vote;
  return [
    describeCounts(vote),
    ...(round > 1 ? [`vote ${round} of ${rounds}`] : []),
    ...(outcome === undefined ? [] : [colors.bold(outcome)]),
    ...(option === undefined ? [] : [oneLine(option)]),
    ...(vote.decidedBy === undefined ? [] : [`decided by ${oneLine(vote.decidedBy)}`]),
  ];
}
