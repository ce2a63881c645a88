import { voteView } from '../../../kinds/consensus/state';
import { awaitedVoters } from '../../../kinds/consensus/view';
import { awaitedAdviser } from '../../../kinds/consult/view';
import { awaitedLevel } from '../../../kinds/escalate/view';
import { deliveryView } from '../../../kinds/increments/view';
import { awaitedOfSwarm } from '../../../kinds/swarm/view';
import { tracksView } from '../../../kinds/tracks/state';
import { awaitedOfTracks } from '../../../kinds/tracks/view';
import { defined } from '../../../plan/defined';
import type { StepView } from '../../../plan/run/status';
import type { ControlStep } from '../../../plan/steps/control';
import { adviceViewOf, deliveryOf, escalationViewOf, swarmViewOf, tracksStateOf, unroutedOf, voteStateOf } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';

/** How each collaboration pattern stands, and whom it waits for: another pattern is a line in both. */
type PatternViews = Pick<StepView, 'vote' | 'tracks' | 'escalation' | 'advice' | 'swarm' | 'delivery' | 'unrouted'>;

export function patternViews(step: ControlStep, record: StepRecord): PatternViews {
  const [vote, delivery] = [voteStateOf(record), deliveryOf(record)];
  return defined({
    vote: vote && voteView(vote),
    tracks: tracksOf(step, record),
    escalation: escalationViewOf(record),
    advice: adviceViewOf(record),
    swarm: swarmViewOf(record),
    delivery: delivery && deliveryView(delivery),
    unrouted: unroutedOf(record).count || undefined,
  });
}

/** Of a step that is at work. */
export function awaitedOfPattern(step: ControlStep, record: StepRecord): string | undefined {
  return votersOf(record) ?? trackOf(step, record) ?? levelOf(record) ?? adviserOf(record) ?? swarmOf(record);
}

function tracksOf(step: ControlStep, record: StepRecord): StepView['tracks'] {
  const state = tracksStateOf(record);
  const isAtWork = record.state === 'running' || record.state === 'waiting';
  return state && 'sync' in step ? tracksView(step, state, isAtWork) : undefined;
}

function votersOf(record: StepRecord): string | undefined {
  const vote = voteStateOf(record);
  const names = vote ? awaitedVoters(vote) : [];
  return names.length === 0 ? undefined : `${names.length === 1 ? 'the vote' : 'the votes'} of ${names.join(', ')}`;
}

function trackOf(step: ControlStep, record: StepRecord): string | undefined {
  const tracks = tracksOf(step, record);
  return tracks && awaitedOfTracks(tracks);
}

function levelOf(record: StepRecord): string | undefined {
  const view = escalationViewOf(record);
  const name = view && awaitedLevel(view);
  return view === undefined || name === undefined ? undefined : `the answer of ${name} (L${view.level})`;
}

function adviserOf(record: StepRecord): string | undefined {
  const view = adviceViewOf(record);
  const name = view && awaitedAdviser(view);
  return name === undefined ? undefined : `the advice of ${name}`;
}

function swarmOf(record: StepRecord): string | undefined {
  const view = swarmViewOf(record);
  if (!view) return undefined;
  if (view.doing === 'wait' && view.behind !== undefined) return `the swarm ${view.behind} to end: one at a time`;
  const names = awaitedOfSwarm(view);
  if (names.length === 0) return undefined;
  return `${view.doing === 'fix' ? 'the fix' : names.length === 1 ? 'the diagnosis' : 'the diagnoses'} of ${names.join(', ')}`;
}
