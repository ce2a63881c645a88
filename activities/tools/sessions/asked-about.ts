import { asksAgent } from '../../../kinds/questions';
import type { SpawnRequest } from '../../../plan/agents/spawned-agent';
import { defined } from '../../../plan/defined';
import type { ArtifactRef, Sha256 } from '../../../plan/run/artifact';
import { readArtifactRef } from '../../../plan/run/artifact';
import { formatAddress, parseAddress, stepIdOf } from '../../../plan/steps/address';
import { field } from '../../../plan/text/json';
import type { AttemptScope } from '../../agent/agent-session';
import { endedChildren } from '../../agent/children/child-announcements';

/** Something delivered that a spawn is about: its content, its author, and its requested schema. */
export interface Delivered {
  artifact: ArtifactRef;
  /** Absent: no agent has made it. */
  by?: string;
  schema?: Sha256;
}

/**
 * What `previous` of a spawn names: a child of the agent's own by its id, or an input of its step, by the step, by the name of the
 * artifact, or by the address of the try that has delivered it. It reaches nothing else of the run; returns in words why there is no such
 * thing.
 */
export async function askedAbout(
  scope: AttemptScope,
  children: readonly SpawnRequest[],
  previous: string,
): Promise<Delivered | { refusal: string }> {
  const child = children.find(({ id }) => id === previous);
  if (child) {
    const artifact = (await endedChildren(scope, [child]))[0]?.artifact;
    return artifact ? { artifact, by: child.agent } : { refusal: `there is no result of "${child.id}" to ask about` };
  }
  const { inputs, upstream, with: replaced } = scope.input;
  const address = parseAddress(previous);
  const step = address && stepIdOf(address);
  // If an operator has replaced the inputs, there are no others.
  const refs = replaced === undefined ? Object.entries({ ...inputs, ...upstream }) : [];
  const found = refs.filter(([id, ref]) => id === previous || ref.name === previous || id === step);
  const [only] = found;
  if (!only) return { refusal: `you have no child "${previous}", and no agent before you has delivered that; there is: ${listed(refs)}` };
  if (new Set(found.map(([, ref]) => ref.sha256)).size > 1)
    return { refusal: `several steps have delivered "${previous}"; name the step: ${found.map(([id]) => id).join(', ')}` };
  const [id, artifact] = only;
  if (id !== previous && artifact.name !== previous && !(address && (await isFrom(scope, formatAddress(address), artifact))))
    return { refusal: `"${previous}" is not the try whose output step "${id}" has now; name the step` };
  const made = scope.run.steps.get(id);
  if (!made || !asksAgent(made)) return { artifact };
  return { artifact, by: made.agent, ...defined({ schema: made.output?.schema }) };
}

async function isFrom({ toolbox, call }: AttemptScope, address: string, { sha256 }: ArtifactRef): Promise<boolean> {
  const output = await toolbox.ledger.get(call.key, address);
  return readArtifactRef(field(output, 'artifact'))?.sha256 === sha256;
}

function listed(refs: readonly (readonly [string, ArtifactRef])[]): string {
  return refs.map(([id, { name }]) => (name === undefined ? id : `${id} (${name})`)).join(', ') || 'nothing';
}
