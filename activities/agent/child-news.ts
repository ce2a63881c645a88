import type { SpawnRequest, SpawnResult } from '../../plan/spawn';
import { fenced, section } from './prompt';
import type { TryScope } from './seat';
import type { Transcript } from './transcript';

/**
 * What became of the children that an agent spawned in one request: told as its next. Undefined where it spawned none; holds
 * where somebody of them has not ended. Once it is told it is recorded, so it is told the same way whenever it is told again.
 */
export async function newsOf(scope: TryScope, transcript: Transcript, ask: number): Promise<string | undefined> {
  const children = transcript.effects(ask).flatMap(({ spawned }) => spawned ?? []);
  if (children.length === 0) return undefined;
  const told = transcript.told(ask + 1) ?? settled(scope, children);
  if (!transcript.told(ask + 1)) await transcript.tell(ask + 1, told);
  const results = await Promise.all(told.map((result) => describe(scope, result)));
  const lines = ['Go on with your task. When it is done, give the whole answer in the form that you were asked for.'];
  return [section('What became of the agents you have spawned', results.join('\n\n')), section('Task', lines.join('\n'))].join('\n\n');
}

function settled({ input, holds }: TryScope, children: readonly SpawnRequest[]): SpawnResult[] {
  const results = children.flatMap(({ id }) => input.spawned?.find((result) => result.id === id) ?? []);
  if (results.length === children.length) return results;
  throw holds.hold({ kind: 'spawned', children: children.filter(({ id }) => !results.some((result) => result.id === id)) });
}

async function describe({ toolbox }: TryScope, { id, agent, artifact, error }: SpawnResult): Promise<string> {
  const title = `## ${id} (${agent})`;
  if (error) return `${title}\n\nIt failed: ${error.code}: ${error.message}`;
  if (!artifact) return `${title}\n\nIt put out nothing.`;
  const text = (await toolbox.artifacts.get(artifact)).toString('utf8');
  return `${title}\n\n${artifact.name ?? 'Its report'}, sha256 ${artifact.sha256}:\n\n${fenced(text)}`;
}
