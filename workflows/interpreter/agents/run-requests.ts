import { payloadRef } from '../../../plan/agents/envelope';
import type { RunRequest } from '../../../plan/agents/run-request';
import { defined } from '../../../plan/defined';
import { describeTarget, type EscalationTarget } from '../../../plan/steps/action';
import { unreachable } from '../../../plan/unreachable';
import { startRequestedRun } from '../containers/started-runs';
import type { AgentCallState } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import { notifyChannel } from '../messages/notification-outbox';
import { tellCoordinator } from '../patterns/tell-coordinator';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';

type Raised = Extract<RunRequest, { kind: 'escalate' }>;

/** Escalations by agents that people can see: the last so many. */
const RAISED_KEPT = 20;

/** Takes up an agent's requests to its run, each once: taking it and its result enter the state together. */
export async function takeRunRequests(
  it: Interpreter,
  place: Place,
  keeps: AgentCallState,
  requests: readonly RunRequest[],
): Promise<void> {
  for (const request of requests) {
    if (keeps.runRequests?.includes(request.id)) continue;
    if (request.kind === 'start') await startRequestedRun(it, place, request);
    else take(it, place, request);
    keeps.runRequests = [...(keeps.runRequests ?? []), request.id];
  }
}

function take(it: Interpreter, place: Place, request: Exclude<RunRequest, { kind: 'start' }>): void {
  switch (request.kind) {
    case 'notify':
      notifyChannel(it, { path: place.path, channel: request.channel, message: request.message, from: request.agent, kind: 'message' });
      tellCoordinator(it, place, { from: request.agent, channel: request.channel, message: request.message });
      break;
    case 'escalate':
      raise(it, place, request);
      break;
    default:
      unreachable(request);
  }
}

/** The superior gets an envelope, and people a message in the channel of the first superior. */
function raise(it: Interpreter, { path }: Place, { agent, reason, artifacts }: Raised): void {
  const { run } = it;
  const step = run.name(path);
  const chain = run.plan.escalation ?? [{ kind: 'human' }];
  const own = chain.findIndex((target) => target.kind === 'agent' && target.id === agent);
  const above = chain.slice(own + 1);
  const to = describeTarget(above[0] ?? { kind: 'human' });
  const payload = { step, reason, ...defined({ artifacts: artifacts?.map((ref) => ({ ...payloadRef(ref) })) }) };
  sendEnvelope(run, path, { from: agent, to, intent: 'escalate', payload, expect_response: false });
  note(run, { step, agent, to, reason, at: new Date(run.ctx.now()).toISOString() });
  const about = artifacts ? ` (${artifacts.map(({ name, sha256 }) => name ?? sha256).join(', ')})` : '';
  const message = `${agent} escalates at ${step}${about}: ${reason}`;
  notifyChannel(it, { path, channel: channelOf(above), message, kind: 'message' });
  it.changed();
}

/** Where people read what agents say to them: the channel of the first person in the chain. */
export function channelOf(above: readonly EscalationTarget[]): string {
  const human = above.find((target) => target.kind === 'human');
  return (human?.kind === 'human' ? human.channel : undefined) ?? APPROVALS_CHANNEL;
}

function note({ state }: Run, raised: NonNullable<Run['state']['raised']>[number]): void {
  state.raised = [...(state.raised ?? []), raised].slice(-RAISED_KEPT);
}
