import { ownerOf, sendEnvelope } from '../../workflows/interpreter/messages/envelopes';
import { partPath } from '../../workflows/interpreter/patterns/parts';
import { otherSide, type TrackSide } from './rules/alignment';
import { stateOf, type Tracks } from './tracks';

/**
 * Tells the agent of the slow track that the other waits for it: as an envelope in the journal, and as a message with its next turn or try.
 */
export function tellSlowTrack(tracks: Tracks, side: TrackSide, k: number, ahead: string | undefined): void {
  const { it, place } = tracks;
  const { run } = it;
  const { step } = place;
  const point = step.sync[k];
  const slow = otherSide(side);
  if (!point) return;
  const goes = ahead === undefined ? '' : `; meanwhile it begins ${ahead}, which is made again if the two are not aligned`;
  const content = `${step[side].agent} has delivered ${point.after[side]} and waits for ${point.after[slow]} at the sync point ${point.id}${goes}.`;
  const at = new Date(run.ctx.now()).toISOString();
  for (const phase of step[slow].phases) {
    const { state, turn = 1 } = stateOf(tracks).phases[phase] ?? {};
    const record = run.state.records[partPath(place, phase, turn)];
    if (!record || (state !== 'running' && state !== 'adjusting')) continue;
    record.brief = { ...record.brief, messages: [...(record.brief?.messages ?? []), { from: step.id, content, at }] };
  }
  const payload = { sync_id: point.id, message: content };
  sendEnvelope(run, place.path, { from: ownerOf(run), to: step[slow].agent, intent: 'notify', payload, expect_response: false });
}
