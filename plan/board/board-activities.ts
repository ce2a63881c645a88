import type { ArtifactRef } from '../run/artifact';
import type { BoardMessage } from './message';
import type { NewTask, ReturnedTask, TaskNumber } from './task';
import type { WorkOrder } from './work-order';

/** Inputs and results of a board's activities. */

/** The tasks and members of a board as it begins: their texts are in the store. */
export interface OpenedBoard {
  tasks: NewTask[];
  members: OpenedMember[];
}

export interface OpenedMember {
  name: string;
  agent: string;
  role?: string;
  isLead?: true;
  /** Its first instructions. */
  prompt?: ArtifactRef;
}

/** What a WORK begins with. */
export interface BoardWorkInput {
  run: string;
  /** The name of the text in the store. */
  as: string;
  begins: WorkOrder['begins'];
  task?: { number: TaskNumber; subject: string; description?: ArtifactRef; returned?: ReturnedTask };
  /** It is done in the worktree of its task. */
  isInWorktree?: true;
  /** The branch in which what is there lands. */
  into?: string;
  /** Tasks that the member still owns. */
  open?: { number: TaskNumber; subject: string }[];
  messages?: BoardMessage[];
  prompt?: ArtifactRef;
}

/** Long texts that somebody has sent to a board. */
export interface KeepTextsInput {
  run: string;
  texts: SentText[];
}

export interface SentText {
  /** Its name in the store. */
  as: string;
  text: string;
}

/** `problem`: why it could not be stored. */
export type KeptText = { text: ArtifactRef; problem?: never } | { problem: string; text?: never };

export interface BoardWorkOutput {
  artifact: ArtifactRef;
}
