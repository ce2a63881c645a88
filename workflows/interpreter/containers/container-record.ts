import type { Amounts } from '../../../plan/budgets/budget';
import type { OrderedItem } from '../../../plan/patterns/item-order';
import type { GateView } from '../../../plan/people/gate';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ChildMessage } from '../../../plan/run/child';
import type { HeldStepView, RunState as RunStateName } from '../../../plan/run/status';
import type { Json } from '../../../plan/text/json';

/** A loop's progress. Finished iterations leave only their output. */
export interface LoopRecord {
  /** Absent if it goes over a stream. */
  list?: ArtifactRef;
  stream?: StreamRecord;
  /** For a stream: the known items. */
  total: number;
  /** The first that has not begun. */
  next: number;
  /** Iterations that have begun and are not done. */
  live: number[];
  /** Iterations that are done and in no part yet, with the outputs of their steps. */
  done: Record<string, Record<string, ArtifactRef>>;
  /** The output, as far as it is made. */
  parts: ArtifactRef[];
  /** The first that is in no part. */
  unparted: number;
  /** The owner's contexts from finished iterations. */
  leftContexts?: ArtifactRef[];
  /** Values that control reads of the items of live or next iterations, by index. */
  values?: Record<string, Record<string, Json>>;
  /** Names of the items of live or next iterations, by index. Absent: no item has a name. */
  names?: Record<string, string>;
  /** All names, if there are more than come with the list. */
  nameList?: ArtifactRef;
  /** The end of its current pause. */
  resumeAtMs?: number;
}

/** A loop's knowledge of its stream. */
export interface StreamRecord {
  /** `plan/steps/stream.ts`. */
  name: string;
  /** Lines of its log that are known. */
  lines: number;
  /** Items that are in no part of the output yet, by index. */
  items: Record<string, OrderedItem & { item: ArtifactRef; name?: string }>;
  /** Items that have not begun, in order. */
  waiting: number[];
  /** The time since which it looks for new items. */
  looksSinceMs?: number;
  /** The producer is held back. */
  full?: true;
  /** How many items no longer wait, as the producer can read it. */
  taken?: number;
  /** There are no further items. */
  over?: true;
  /** Keys of finished items, as canonical JSON, if items depend on each other. */
  done?: string[];
  /** For items in progress: when their time is up, and how often their steps have begun again. */
  dueMs?: Record<string, number>;
  fixes?: Record<string, number>;
  /** The failures of items that are not done. */
  errors?: Record<string, { code: string; message: string }>;
  /** All remaining items depended on unfinished ones: the rest runs one after the other. */
  linear?: true;
}

/** A loop of rounds' progress. Of finished rounds only the last leaves something behind. */
export interface RoundsRecord {
  /** Rounds that are over. */
  over: number;
  /** The last allowed round. A try that follows an exhausted one has as many again. */
  limit: number;
  /** Its end condition is met. */
  met?: true;
  /** The try in which `limit` was reached. */
  exhaustedIn?: number;
  /** The outputs of the last finished round's steps, by id, and their control values. */
  outputs: Record<string, ArtifactRef>;
  values?: Record<string, Record<string, Json>>;
  /** As in `LoopRecord`. */
  leftContexts?: ArtifactRef[];
}

/** A `pipeline` step's knowledge of its child. */
export interface ChildRecord {
  workflowId: string;
  line: ChildMessages;
  state?: RunStateName;
  gates: GateView[];
  /** Steps of the child, and of its own children, that wait for an operator. */
  held?: HeldStepView[];
  /** The total amount that its reservation is short of. */
  short?: Amounts;
  /** How much of it is used. */
  spent?: { amounts: Amounts; unknownCost?: true };
  /** Its report of its end. */
  ended?: Extract<ChildMessage, { kind: 'ended' }>;
}

/** The reader of its messages. */
export interface ChildMessages {
  /** Id of its first execution, once it has started. */
  run?: string;
  /** Lines of its log that have been read. */
  read: number;
  /** It came before the news of its start. */
  woken?: true;
}
