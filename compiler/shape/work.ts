import { unreachable } from '../../plan/unreachable';
import type { MappingNode } from '../read/node';
import { readAgent } from './agent-work';
import { readAfterApproval } from './approval';
import { readCategory } from './category';
import { readChild } from './child';
import { readCommand } from './command';
import { readForEach, readGroup, readParallel } from './fan-out';
import { readApproval, readInput } from './gate';
import { readNotify, readWait } from './notify-wait';
import type { Reading } from './reading';
import type { StepSource, WorkSource } from './source';
import type { WrittenKind } from './vocabulary';
import { readWorktree } from './worktree';

/** Reads what a step of a kind does: the keys that only some kinds have. Some of them are kept with the step. */
export function readWork(kind: WrittenKind, node: MappingNode, step: StepSource, reading: Reading): WorkSource {
  const { report } = reading;
  if (kind !== 'approval' && kind !== 'input') readAfterApproval(node, step, report);
  readWorktree(node, step, report);
  readCategory(node, step, report);
  switch (kind) {
    case 'agent':
    case 'review':
      return readAgent(kind, node, report);
    case 'command':
      return readCommand(node, report);
    case 'approval':
      return readApproval(node, report);
    case 'input':
      return readInput(node, report);
    case 'notify':
      return readNotify(node, report);
    case 'wait':
      return readWait(node, step, report);
    case 'parallel':
      return readParallel(node, reading);
    case 'group':
      return readGroup(node, reading);
    case 'for_each':
      return readForEach(node, reading);
    case 'pipeline':
      return readChild(node, step.at, report);
    default:
      return unreachable(kind);
  }
}
