import type { MappingNode } from '../../compiler/read/node';
import type { StepSource } from '../../compiler/shape/source';

/** It has a worktree in any case: without one nothing could be rolled back. */
export function withWorktree(_node: MappingNode, step: StepSource): object {
  step.worktree ??= { kind: 'own', at: step.at };
  return {};
}
