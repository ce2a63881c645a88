import { shortAddress } from '../../plan/address';
import type { ArtifactRef } from '../../plan/artifact';
import { type Envelope, payloadRef } from '../../plan/envelope';
import { FAILURES, ThermidorFailure } from '../../plan/failure';
import type { JournalEvent } from '../../plan/journal';
import { field } from '../../plan/json';
import { spawnKey } from '../../plan/script';
import { adapterFor, loadAgent } from '../agent/agent-adapter';
import { Held } from '../agent/hold';
import { joined, renderRole, section } from '../agent/prompt';
import { replyTo, watch } from '../agent/reply-to';
import { factsOf } from '../agent/run-facts';
import type { Seat, TryScope } from '../agent/seat';
import { openTranscript, type Transcript } from '../agent/transcript';
import { withDeadline } from '../deadline';
import { withServerTools } from './at-servers';

/** One turn of a talk: asks the other agent and waits (protocol.md point 2). */
export interface Question {
  agent: string;
  message: string;
  /** Counts from 1. */
  turn: number;
  timeoutMs: number;
}

/** The id of a talk: below that of who talks, so that its transcript is its own. */
export function talkId(id: string, agent: string): string {
  return `${id}/send-${agent}`;
}

/**
 * Asks within the activity of who asks: what it costs is charged to the same try. What is recorded of it is not paid for again.
 * An agent that fails or does not answer in time is no failure of who asked: it is told so.
 */
export async function askAgent(
  scope: TryScope,
  from: Seat,
  { agent, message, turn, timeoutMs }: Question,
  outer: AbortSignal,
): Promise<{ text: string; journal: JournalEvent[] }> {
  const transcript = await talkTranscript(scope, talkId(from.id, agent));
  const name = `${scope.stepId}.send-${agent}-${turn}`;
  const put = (text: string, what: string) =>
    scope.toolbox.artifacts.put(scope.secrets.mask(text), { mediaType: 'text/plain', name: `${name}.${what}.md` });
  const asked = event(scope, from.agent.id, agent, 'collect_opinion', await put(message, 'message'));
  const late = new Late();
  const limit = { ms: timeoutMs, error: () => late, timer: scope.toolbox.timer };
  try {
    const text = await withDeadline(outer, limit, async (within) => {
      const { signs, signal } = watch(scope.toolbox, agent, within);
      const definition = await loadAgent(scope.toolbox, scope.run, agent);
      const seat: Seat = {
        id: talkId(from.id, agent),
        agent: definition,
        system: renderRole(definition, section('Answer', 'Answer in plain text or JSON.')),
        adapter: adapterFor(scope.toolbox, scope.run, definition),
        transcript,
        scriptKey: spawnKey(scope.stepId, agent),
        iterations: from.iterations,
        signs,
      };
      const asks = () =>
        joined([factsOf(scope.run, scope.stepId), section(`A question from ${from.agent.title ?? from.agent.id}`, message)]);
      const prompt = turn === 1 ? asks() : message;
      const request = { ask: turn, prompt, isWhole: async () => true };
      const reply = await withServerTools(scope, seat, signal, (seated) => replyTo(scope, seated, request, signal));
      return reply.text;
    });
    return { text, journal: [asked, event(scope, agent, from.agent.id, 'deliver_report', await put(text, 'reply'))] };
  } catch (error) {
    if (error === late) return { text: `"${agent}" did not answer within ${timeoutMs / 1000} s`, journal: [asked] };
    outer.throwIfAborted();
    if (error instanceof Held || !(error instanceof ThermidorFailure) || FAILURES[error.code].retried === 'temporal') throw error;
    return { text: `"${agent}" could not answer: ${error.code}: ${error.message}`, journal: [asked] };
  }
}

/** Opened once in a try: what it holds is counted from then on. */
async function talkTranscript({ toolbox, call, secrets, transcripts, broken }: TryScope, id: string): Promise<Transcript> {
  const open = transcripts.get(id) ?? (await openTranscript(toolbox, { ...call, id }, secrets, broken && id.replace(call.id, broken)));
  transcripts.set(id, open);
  return open;
}

/** Those that the try had before: what they cost counts from the start. */
export async function openTalks(scope: TryScope, transcript: Transcript): Promise<void> {
  for (const { tool, args } of transcript.turns().flatMap(({ calls = [] }) => calls)) {
    const agent = tool === 'sessions_send' ? field(args, 'agent') : undefined;
    if (typeof agent === 'string') await talkTranscript(scope, talkId(scope.call.id, agent));
  }
}

class Late extends Error {
  override readonly name = 'Late';
}

function event(scope: TryScope, from: string, to: string, intent: Envelope['intent'], payload: ArtifactRef): JournalEvent {
  const { call, address } = scope;
  const envelope: Envelope = {
    ...{ from, to, intent, ref_task: `${call.key.workflowId}/${call.id}` },
    payload: payloadRef(payload),
    expect_response: intent === 'collect_opinion',
  };
  return { kind: 'envelope', step: shortAddress(address), envelope };
}
