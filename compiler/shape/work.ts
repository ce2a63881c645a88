import { traitsOf } from '../../kinds/traits';
import type { MappingNode } from '../read/node';
import { readAfterApproval } from './approval';
import { readCategory } from './category';
import { READERS } from './kinds';
import type { Reading } from './reading';
import type { StepSource, WorkSource } from './source';
import type { WrittenKind } from './vocabulary';
import { readWorktree } from './worktree';

/** Reads what a step of a kind does. A gate asks by itself: `on_reject` beside it is its own. */
export function readWork(kind: WrittenKind, node: MappingNode, step: StepSource, reading: Reading): WorkSource {
  const { report } = reading;
  if (traitsOf(kind).gate === undefined) readAfterApproval(node, step, report);
  readWorktree(node, step, report);
  readCategory(node, step, report);
  return READERS[kind](node, step, reading);
}
