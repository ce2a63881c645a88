import { DEFAULT_CHILDREN, SEND_SECONDS, SEND_TURNS, type SpawnResult } from '../../../plan/agents/spawned-agent';
import { defined, unlessEmpty } from '../../../plan/defined';
import { readRecordedConversation } from '../../../records/transcripts/recorded-conversation';
import type { AgentSession, AttemptScope } from '../../agent/agent-session';
import { endedChildren } from '../../agent/children/child-announcements';
import { askedSchema } from '../asked-schema';
import { answer, type CallingAgent, refused, type Sessions, type SessionView } from '../tool';
import { askOtherAgent, talkId } from './ask-agent';
import { askedAbout } from './asked-about';
import { consultAgent } from './consult-agent';

const MOST_CHILDREN = 20;
/** The limit of children in a try, however few live at once: it stops an agent that spawns without end. */
const CHILDREN_A_TRY = 100;

/**
 * The agents that this agent has called, read from its transcript, so they are the same after a crash.
 *
 * Invariants: 1. ids of children are consecutive, and the same call gets the same one; 2. an agent knows only its own children and
 * conversations.
 */
export function sessionsOf(scope: AttemptScope, session: AgentSession, caller: CallingAgent, signal: AbortSignal): Sessions {
  const { transcript } = session;
  const children = () => transcript.spawned();
  const sends = (agent: string) => transcript.effects().filter(({ sentTo }) => sentTo === agent).length;
  const asked = (agent: string) => transcript.effects().findLast(({ sentTo }) => sentTo === agent)?.asked ?? sends(agent);
  const limit = Math.min(scope.run.plan.children ?? DEFAULT_CHILDREN, MOST_CHILDREN);
  const unknown = (agent: string) => refused(`there is no agent "${agent}" in this run; there are: ${caller.agents.join(', ')}`);
  /** A child lives until its parent has its result. */
  const living = () => transcript.unannounced(Number.POSITIVE_INFINITY).length;

  const list = async (): Promise<SessionView[]> => {
    const ended = await endedChildren(scope, children());
    const talks = [...new Set(transcript.effects().flatMap(({ sentTo }) => sentTo ?? []))];
    return [
      ...children().map(({ id, agent }): SessionView => ({ id, kind: 'spawn', agent, state: stateOf(ended.find((one) => one.id === id)) })),
      ...talks.map((agent): SessionView => ({ id: talkId(session.id, agent), kind: 'send', agent, state: 'open' })),
    ];
  };

  return {
    list,
    childrenLeft: () => limit - living(),
    async spawn({ agent, task, previous, missingFields, schema: wanted }) {
      if (!caller.agents.includes(agent)) return unknown(agent);
      if (!caller.spawns.includes(agent))
        return refused(`"${agent}" is above you: what it should know goes into your answer, or to it by "escalate"`);
      if (living() >= limit) return refused(`you have ${limit} running children, which is the limit: wait for one to end`);
      if (children().length >= CHILDREN_A_TRY)
        return refused(`you have spawned ${CHILDREN_A_TRY} children for this task, which is the limit`);
      if (missingFields !== undefined && previous === undefined)
        return refused('"missing_fields" is about a report: name it under "previous"');
      const about = previous === undefined ? undefined : await askedAbout(scope, children(), previous);
      if (about && 'refusal' in about) return refused(about.refusal);
      const isTheirs = about?.by === agent;
      if (about && !isTheirs && missingFields !== undefined)
        return refused(`"${previous}" is not of "${agent}": ask ${about.by ?? 'nobody, no agent has made it,'} what is missing`);
      const schema = await askedSchema(scope.toolbox.artifacts, scope.run, wanted);
      if ('refusal' in schema) return refused(schema.refusal);
      const id = `${session.id}/spawn-${children().length + 1}`;
      const spawned = {
        id,
        agent,
        from: session.agent.id,
        task,
        ...defined({
          previous: about?.artifact,
          schema: schema.digest ?? (isTheirs ? about?.schema : undefined),
          lacks: isTheirs ? (missingFields ?? []) : undefined,
        }),
      };
      return { ...answer({ status: 'accepted', id }), effect: { spawned } };
    },
    async send({ agent, message, timeoutSeconds = SEND_SECONDS, schema: wanted }) {
      if (!caller.agents.includes(agent)) return unknown(agent);
      if (!caller.sendsTo.includes(agent))
        return refused(`"${agent}" is not independent: it answers its parent alone; you may send to: ${caller.sendsTo.join(', ')}`);
      const turn = sends(agent) + 1;
      if (turn > SEND_TURNS) return refused(`this talk with "${agent}" has had its ${SEND_TURNS} turns`);
      const schema = await askedSchema(scope.toolbox.artifacts, scope.run, wanted);
      if ('refusal' in schema) return refused(schema.refusal);
      const asking = { agent, message, turn, timeoutMs: timeoutSeconds * 1000, asked: asked(agent) };
      return await askOtherAgent(scope, session, { ...asking, ...defined({ schema: schema.digest }) }, signal);
    },
    async consult(request, limit) {
      const { topic } = request;
      const { consultants = {} } = caller;
      const agent = Object.hasOwn(consultants, topic) ? consultants[topic] : undefined;
      if (agent === undefined) return refused(`nobody advises you on "${topic}"; there are: ${Object.keys(consultants).join(', ')}`);
      const before = transcript.effects().filter(({ consulted }) => consulted === topic).length;
      if (before >= limit) return refused(`you have asked about "${topic}" ${limit} times, which is the limit: use your own judgement`);
      const turn = { agent, turn: sends(agent) + 1, asked: asked(agent), left: limit - before - 1 };
      return await consultAgent(scope, session, { ...turn, request }, signal);
    },
    async history(id) {
      if (!(await list()).some((session) => session.id === id)) return undefined;
      // Read again: another activity writes a child's.
      const child = children().find((one) => one.id === id);
      const [ended] = child ? await endedChildren(scope, [child]) : [];
      const other = await readRecordedConversation(scope.toolbox.ledger, scope.call.key, ended?.call ?? id);
      return other.turns().map(({ role, text, call, calls = [] }) => {
        const tools = call ? [call.tool] : calls.map(({ tool }) => tool);
        return { role, text, ...defined({ tools: unlessEmpty(tools) }) };
      });
    },
  };
}

function stateOf(result: SpawnResult | undefined): SessionView['state'] {
  if (!result) return 'running';
  return result.error ? 'failed' : 'done';
}
