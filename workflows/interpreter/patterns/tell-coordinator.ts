import type { UnroutedMessage } from '../../../plan/patterns/unrouted';
import type { ControlStep } from '../../../plan/steps/control';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import { addToInbox, whyNoRoom } from '../messages/inbox';
import type { Place } from '../scheduling/place';
import { KEEPS } from '../state/kept-by-kind';
import { openKindState } from '../state/kind-state';

/**
 * Keeps a message that an agent sends while it works in a coordinate step, and that no step of it handles: in the journal, marked
 * `unrouted`, and in the step's output. The coordinator gets it with its next task in the run. Its own messages are not unrouted.
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
  if (whyNoRoom(run, to, content) === undefined) addToInbox(run, to, from, { content });
  KEEPS[around.kind]?.hear?.(openKindState(run.record(around.path), around.kind), { from, step, channel, message });
  it.changed();
}

interface Coordinated {
  path: string;
  kind: Extract<ControlStep, { coordinator?: string }>['kind'];
  coordinator: string;
}

/** The nearest coordinator around a step. */
function coordinatorAround({ container }: Place['frame']): Coordinated | undefined {
  if (!container) return undefined;
  const { step, path, frame } = container;
  return 'coordinator' in step && step.coordinator !== undefined
    ? { path, kind: step.kind, coordinator: step.coordinator }
    : coordinatorAround(frame);
}
