import { type ArtifactRef, readArtifactRef } from './artifact';
import { type GateView, isGateView } from './gate';
import { isJsonObject, type Json } from './json';
import { RUN_STATES, type RunState } from './status';

/**
 * What a child pipeline and its parent tell each other, by signals of the two names below. A child is a workflow of its own
 * whose end the parent does not bind (parent-close policy ABANDON), because continue-as-new of the parent would end it.
 */
export const CHILD_SIGNAL = 'thermidor:child';
export const PARENT_SIGNAL = 'thermidor:parent';

/** Child → parent. `step` is the address of the `pipeline` step's try, as the child was given it. */
export type ChildNews =
  | { step: string; kind: 'gates'; gates: GateView[]; state: RunState }
  | { step: string; kind: 'ended'; state: 'completed'; output: ChildOutput }
  | { step: string; kind: 'ended'; state: 'rejected' | 'cancelled'; reason: string }
  | { step: string; kind: 'ended'; state: 'failed'; code: string; message: string };

/** The child's output: by reference where it is a step's artifact, by value where its `output:` is an expression. */
export type ChildOutput = { artifact: ArtifactRef } | { value: Json };

/** Parent → child: a decision that came to the parent, to be taken as if it had come here; or the run is over. */
export type ParentWord = { kind: 'signal'; name: string; payload: Json } | { kind: 'cancel'; reason: string } | { kind: 'report' };

/** News as they came by signal, which anybody can send; undefined where they are none. */
export function readChildNews(payload: unknown): ChildNews | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { step, kind, state, gates, output, reason, code, message } = payload;
  if (typeof step !== 'string') return undefined;
  if (kind === 'gates') {
    const known = RUN_STATES.find((word) => word === state);
    const views: unknown[] | undefined = Array.isArray(gates) ? gates : undefined;
    return known && views?.every(isGateView) ? { step, kind, gates: views, state: known } : undefined;
  }
  if (kind !== 'ended') return undefined;
  if (state === 'completed') {
    const put = readOutput(output);
    return put && { step, kind, state, output: put };
  }
  if (state === 'rejected' || state === 'cancelled') return typeof reason === 'string' ? { step, kind, state, reason } : undefined;
  return state === 'failed' && typeof code === 'string' && typeof message === 'string' ? { step, kind, state, code, message } : undefined;
}

function readOutput(output: Json | undefined): ChildOutput | undefined {
  if (!isJsonObject(output)) return undefined;
  const artifact = readArtifactRef(output['artifact']);
  if (artifact) return { artifact };
  return output['value'] === undefined ? undefined : { value: output['value'] };
}
