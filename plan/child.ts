import type { ArtifactRef } from './artifact';
import type { GateView } from './gate';
import type { Json } from './json';
import type { RunState } from './status';

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
