import type { Amounts } from '../../../plan/budgets/budget';
import type { OrderedItem } from '../../../plan/patterns/item-order';
import type { GateView } from '../../../plan/people/gate';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ChildMessage } from '../../../plan/run/child';
import type { HeldStepView, RunState as RunStateName } from '../../../plan/run/status';
import type { Json } from '../../../plan/text/json';

/** How far a loop is. Iterations that are done leave nothing behind but their output. */
export interface LoopRecord {
  /** Absent where it goes over a stream. */
  list?: ArtifactRef;
  stream?: StreamRecord;
  /** Of a stream: those that are known. */
  total: number;
  /** The first that has not begun. */
  next: number;
  /** Those that have begun and are not done. */
  live: number[];
  /** Those that are done and in no part yet, with the outputs of their steps. */
  done: Record<string, Record<string, ArtifactRef>>;
  /** The output, as far as it is made. */
  parts: ArtifactRef[];
  /** The first that is in no part. */
  unparted: number;
  /** Of those that are done: what the owner has said in them. */
  leftContexts?: ArtifactRef[];
  /** What control reads of the items of iterations that are live or come next, by index. */
  values?: Record<string, Record<string, Json>>;
  /** What people call the items of iterations that are live or come next, by index. Absent: no item has a name. */
  names?: Record<string, string>;
  /** The names of all, where there are more than come with the list. */
  nameList?: ArtifactRef;
  /** When the pause ends that it makes now. */
  resumeAtMs?: number;
}

/** What a loop knows of the stream that it goes over. */
export interface StreamRecord {
  /** `plan/steps/stream.ts`. */
  name: string;
  /** Lines of its log that are known. */
  lines: number;
  /** Items that are in no part of the output yet, by index. */
  items: Record<string, OrderedItem & { item: ArtifactRef; name?: string }>;
  /** Those that have not begun, in order. */
  waiting: number[];
  /** It looks for new items: since when. */
  looksSinceMs?: number;
  /** The producer is held back. */
  full?: true;
  /** How many items no longer wait, as the producer can read it. */
  taken?: number;
  /** Nothing more comes. */
  over?: true;
  /** Keys of those that are done, as canonical JSON, where items depend on each other. */
  done?: string[];
  /** Of items in progress: when their time is up, and how often their steps have begun again. */
  dueMs?: Record<string, number>;
  fixes?: Record<string, number>;
  /** What has become of those that are not done. */
  errors?: Record<string, { code: string; message: string }>;
  /** All that was left depended on what is not done: the rest goes one after the other. */
  linear?: true;
}

/** How far a loop of rounds is. Of rounds that are over only the last leaves something behind. */
export interface RoundsRecord {
  /** Rounds that are over. */
  over: number;
  /** The round after which there is no other. A try that follows one that was exhausted has as many again. */
  limit: number;
  /** What ends it has come about. */
  met?: true;
  /** The try in which `limit` was reached. */
  exhaustedIn?: number;
  /** What the steps of the last round that is over put out, by id, and what control reads of it. */
  outputs: Record<string, ArtifactRef>;
  values?: Record<string, Record<string, Json>>;
  /** As in `LoopRecord`. */
  leftContexts?: ArtifactRef[];
}

/** What a `pipeline` step knows of its child. */
export interface ChildRecord {
  workflowId: string;
  line: ChildMessages;
  state?: RunStateName;
  gates: GateView[];
  /** Steps of it, and of its own children, that wait for an operator. */
  held?: HeldStepView[];
  /** What it lacks, in all, of what was reserved for it. */
  short?: Amounts;
  /** What it has used up of it. */
  spent?: { amounts: Amounts; unknownCost?: true };
  /** What it said of its end. */
  ended?: Extract<ChildMessage, { kind: 'ended' }>;
}

/** Its reader. */
export interface ChildMessages {
  /** Id of its first execution, once it has started. */
  run?: string;
  /** Lines of its log that have been read. */
  read: number;
  /** It was quicker than the news of its start. */
  woken?: true;
}
