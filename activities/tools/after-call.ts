import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { openCalls } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { announceMove } from '../agent/announce-move';
import { announceMidRequest } from '../agent/children/child-announcements';
import { announceMessages } from '../agent/member-messages';
import { wakeRun } from '../agent/wake-run';
import { pauseWhereFull } from '../streams/agent-items';
import { wakeForItems } from '../streams/open-stream';

/**
 * Runs between a call's result and the agent's next action: starts a child that it spawned, and delivers the results of others. Under a
 * ceiling the try pauses for a moment before its next turn, so that what is left is shared with the child.
 */
export async function afterCall(scope: AttemptScope, session: AgentSession, ask: number, did: ToolEffect | undefined): Promise<void> {
  if (did?.spawned) {
    scope.spawned = true;
    await wakeRun(scope);
  }
  if (did?.exchanged) await wakeRun(scope);
  if (did?.emitted && scope.items) await wakeForItems(scope.toolbox, scope.call, scope.items.stream);
  if (openCalls(session.transcript.asAnswered()).length > 0) return;
  if (did?.emitted) await pauseWhereFull(scope);
  await announceMidRequest(scope, session, ask);
  await announceMove(scope, session, ask);
  if (await announceMessages(scope, session, ask)) await wakeRun(scope);
  const { tokens, costMicroUsd } = scope.input.budget ?? {};
  if (!scope.spawned || (tokens === undefined && costMicroUsd === undefined)) return;
  throw scope.pauses.request({ kind: 'spawned', children: [...session.transcript.unannounced(ask)], goesOn: true });
}
