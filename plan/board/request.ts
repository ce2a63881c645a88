import type { ArtifactRef } from '../run/artifact';
import type { Json } from '../text/json';
import type { BoardMessage } from './message';
import type { NewTask, TaskRef } from './task';

/** What a member asks of its board by a call of a tool whose answer is a decision, or must be fresh: the call waits for it. */
export type BoardRequest =
  | { kind: 'claim_task'; task: TaskRef }
  | { kind: 'create_task'; task: NewTask }
  /** Without `task` it is the one that the member owns. */
  | { kind: 'complete_task'; task?: TaskRef; result?: BoardResult }
  | { kind: 'fail_task'; task?: TaskRef; reason: string; whole?: ArtifactRef }
  | { kind: 'list_tasks' }
  | { kind: 'spawn_teammate'; name: string; agent?: string; role?: string; prompt?: ArtifactRef }
  /** The answer comes when the lead, or a person, has decided. */
  | { kind: 'submit_plan'; message: BoardMessage };

/** A result in short; a longer one is in the store. */
export interface BoardResult {
  text: string;
  whole?: ArtifactRef;
}

/** What the board says to a request. A refusal is an answer, too: `said` has its reason under `refused`. */
export interface BoardAnswer {
  said: Json;
  refused?: true;
}
