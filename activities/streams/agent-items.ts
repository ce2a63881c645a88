import type { Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { getJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import type { AttemptScope } from '../agent/agent-session';
import type { Toolbox } from '../toolbox';
import { openStream } from './open-stream';
import { isFull } from './room';
import type { AgentItems } from './stream-types';

/** Undefined if the step emits nothing, and for agents that work for its agent: only that one emits. */
export async function openAgentItems(toolbox: Toolbox, call: ActivityCall, step: Step, input: StepInput): Promise<AgentItems | undefined> {
  const stream = input.spawn || input.escalation || input.critic ? undefined : openStream(call, step);
  if (!stream) return undefined;
  const schema = await getJson<Json>(toolbox.artifacts, { sha256: stream.spec.schema }, `the schema of the items of "${step.id}"`);
  return { stream, schema, call: call.id };
}

/** Ends the call if as many items as allowed are waiting: the run calls again when there is room. */
export async function pauseWhereFull({ toolbox, items, pauses }: AttemptScope): Promise<void> {
  if (items && (await isFull(toolbox, items.stream))) throw pauses.request({ kind: 'held-back' });
}
