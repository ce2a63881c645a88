import { type UnroutedMessage, withMessage } from '../../../plan/patterns/unrouted';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import { addToInbox, whyNoRoom } from '../messages/inbox';
import type { Place } from '../scheduling/place';
import { openKindState, unroutedOf } from '../state/kind-state';

/**
 * Keeps a message that an agent sends while it works in a coordinate step, and that no step of it handles: in the journal, marked `unrouted`, and in the step's
 * output. The coordinator gets it with its next task in the run. Its own messages are not unrouted.
 */
export function tellCoordinator(
  it: Interpreter,
  { path, frame }: Place,
  said: Pick<UnroutedMessage, 'from' | 'channel' | 'message'>,
): void {
  const { run } = it;
  const around = coordinatorAround(frame);
  const { from, channel, message } = said;
  if (!around || around.coordinator === from) return;
  const { coordinator: to } = around;
  const step = run.name(path);
  const content = { step, channel, message };
  sendEnvelope(run, path, { from, to, intent: 'notify', payload: content, expect_response: false }, { unrouted: true });
  if (whyNoRoom(run, to, content) === undefined) addToInbox(run, to, { from, content });
  const record = run.record(around.path);
  openKindState(record, 'coordinate').unrouted = withMessage(unroutedOf(record), { from, step, channel, message });
  it.changed();
}

/** Of the nearest one around. */
function coordinatorAround({ container }: Place['frame']): { path: string; coordinator: string } | undefined {
  if (!container) return undefined;
  const { step, path, frame } = container;
  return 'coordinator' in step && step.coordinator !== undefined ? { path, coordinator: step.coordinator } : coordinatorAround(frame);
}
