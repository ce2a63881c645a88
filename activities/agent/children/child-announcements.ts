import type { SpawnRequest, SpawnResult } from '../../../plan/agents/spawned-agent';
import { ThermidorFailure } from '../../../plan/run/failure';
import { quoted } from '../../../plan/text/quoted';
import type { AgentSession, AttemptScope } from '../agent-session';
import { fenced, joinSections, section } from '../prompt/prompt';
import { resultsOfChildren } from './child-records';

/**
 * Announces to an agent how its children ended. An agent whose adapter takes messages in the middle of a request gets the news before its
 * next turn. The rest comes as a request of its own once the last one is answered; if no child has ended by then, the try pauses until the
 * next one does. Each announcement is recorded, so a resumed try repeats it word for word.
 */
export async function childAnnouncement(
  scope: AttemptScope,
  { transcript, adapter }: AgentSession,
  ask: number,
): Promise<string | undefined> {
  const recorded = transcript.announced(ask + 1);
  const waiting = recorded ? [] : transcript.unannounced(ask);
  if (!recorded && waiting.length === 0) return undefined;
  const ended = recorded ?? (await endedChildren(scope, waiting));
  if (ended.length === 0) throw scope.pauses.request({ kind: 'spawned', children: [...waiting] });
  // A script gets one end in each request, so that it plays the same however fast its children are.
  const announced = recorded || adapter.hearsMeanwhile ? ended : ended.slice(0, 1);
  if (!recorded) await transcript.announce(ask + 1, announced);
  const stillAtWork = transcript.unannounced(ask + 1).length > 0;
  return joinSections([await announcement(scope, announced), section('Task', stillAtWork ? WAIT : GO_ON)]);
}

/** Must be called while none of the agent's calls is open. */
export async function announceMidRequest(scope: AttemptScope, { transcript, adapter }: AgentSession, ask: number): Promise<void> {
  if (!adapter.hearsMeanwhile) return;
  const waiting = transcript.unannounced(ask);
  const ended = waiting.length > 0 ? await endedChildren(scope, waiting) : [];
  if (ended.length === 0) return;
  const text = await announcement(scope, ended);
  await transcript.add(ask, { role: 'user', text, meanwhile: true }, { announced: ended.map(({ id }) => id) });
}

const GO_ON = 'Go on with your task. When it is done, give the whole answer in the form that you were asked for.';
const WAIT =
  'Go on with your task. The results of the other agents that you have spawned come as these end: if you have nothing else to do, end your turn and wait.';

/**
 * Ended children, from the call's input, or from the ledger, which has a result before any call gets it. They have the agent's role: fails
 * with `brief.out-of-scope` if one of them has failed with that.
 */
export async function endedChildren({ input, toolbox, call }: AttemptScope, children: readonly SpawnRequest[]): Promise<SpawnResult[]> {
  const given = input.spawned ?? [];
  const others = children.filter(({ id }) => !given.some((result) => result.id === id));
  const found = [...given, ...(others.length > 0 ? await resultsOfChildren(toolbox.ledger, call.key, others) : [])];
  const ended = children.flatMap(({ id }) => found.find((result) => result.id === id) ?? []);
  for (const { error } of ended) if (error?.code === 'brief.out-of-scope') throw new ThermidorFailure(error.code, error.message);
  return ended;
}

async function announcement(scope: AttemptScope, results: readonly SpawnResult[]): Promise<string> {
  const described = await Promise.all(results.map((result) => describe(scope, result)));
  return section('Results of the agents you have spawned', described.join('\n\n'));
}

async function describe({ toolbox }: AttemptScope, { id, agent, artifact, error }: SpawnResult): Promise<string> {
  const title = `## ${id} (${agent})`;
  if (error) return `${title}\n\nIt failed with ${error.code}:\n\n${quoted(error.message)}`;
  if (!artifact) return `${title}\n\nIt has no output.`;
  const text = (await toolbox.artifacts.get(artifact)).toString('utf8');
  return `${title}\n\n${artifact.name ?? 'Its report'}, sha256 ${artifact.sha256}:\n\n${fenced(text)}`;
}
