import type { Envelope } from '../../plan/agents/envelope';
import type { HandedEvent, JournalEvent } from '../../plan/run/journal';
import { shortAddress } from '../../plan/steps/address';
import type { AttemptScope } from './agent-session';

/** The limits of a try's journal events: messages, and everything else. */
const MOST_ENVELOPES = 400;
const MOST_OTHERS = 100;

/**
 * Events within a try for the run's journal, each with the time by the worker's clock when it happened.
 *
 * Invariants: 1. times within a try are strictly ascending, so they give the order of events, even across transcripts;
 * 2. returned events are returned again the same, followed by newer ones.
 */
export function stampedEvent<E extends JournalEvent>(scope: AttemptScope, event: E): E & { at: string } {
  const before = eventsOf(scope);
  const { length: alike } = before.filter(({ kind }) => (kind === 'envelope') === (event.kind === 'envelope'));
  if (alike === (event.kind === 'envelope' ? MOST_ENVELOPES : MOST_OTHERS))
    scope.toolbox.log('warn', 'a try has more events than the journal takes: its transcript has the rest', { call: scope.call.id });
  const last = before.at(-1)?.at;
  const nowMs = (scope.toolbox.nowMs ?? Date.now)();
  const atMs = last === undefined ? nowMs : Math.max(nowMs, Date.parse(last) + 1);
  return { ...event, at: new Date(atMs).toISOString() };
}

/** An event that belongs to another and follows it at once. */
export function eventBehind({ at = '' }: HandedEvent, event: JournalEvent): HandedEvent {
  return { ...event, at: new Date(Date.parse(at) + 1).toISOString() };
}

/** A message between two agents, or between an agent and the owner of the run. */
export function messageEvent(scope: AttemptScope, said: Omit<Envelope, 'ref_task'>): HandedEvent {
  const { call, address } = scope;
  const { from, to, intent, payload, expect_response } = said;
  const envelope: Envelope = { from, to, intent, ref_task: `${call.key.workflowId}/${call.id}`, payload, expect_response };
  return stampedEvent(scope, { kind: 'envelope', step: shortAddress(address), envelope });
}

/** All of the try so far, in order, as far as a journal takes so much. */
export function journalEvents(scope: Scope): HandedEvent[] {
  let [envelopes, others] = [0, 0];
  return eventsOf(scope).filter(({ kind }) => {
    if (kind === 'envelope') envelopes += 1;
    else others += 1;
    return kind === 'envelope' ? envelopes <= MOST_ENVELOPES : others <= MOST_OTHERS;
  });
}

type Scope = Pick<AttemptScope, 'transcripts' | 'moved'>;

function eventsOf({ transcripts, moved }: Scope): HandedEvent[] {
  const said = [...transcripts.values()].flatMap((one) => one.effects().flatMap(({ journal = [] }) => journal));
  const events = [...said, ...(moved?.journal ?? [])];
  return events.toSorted((a, b) => Number((a.at ?? '') > (b.at ?? '')) - Number((a.at ?? '') < (b.at ?? '')));
}
