import type { GateView } from '../plan/people/gate';
import type { RunMemo } from '../plan/run/run-memo';
import { shortened } from '../plan/text/shortened';

/** What a run waits for, since when, and who can clear it. Times are ISO 8601. */
export interface WaitReason {
  kind:
    | 'gate'
    | 'held'
    | 'paused'
    | 'retry'
    | 'waits'
    | 'undelivered'
    | 'raised'
    | 'skipped'
    | 'budget'
    | 'works'
    | 'child'
    | 'no-worker'
    | 'drained'
    | 'opening'
    | 'ended'
    | 'starting';
  /** Short address, of a child pipeline's step with the way to it. */
  step?: string;
  /** The name of the loop's item that the step is within. */
  item?: string;
  /** One line. */
  text: string;
  since?: string;
  /** When it ends by itself, or is tried again. */
  until?: string;
  /** When the approvers are reminded next. */
  remindAt?: string;
  /** For a gate: who started the run, if that affects who may decide, or whether anybody can. */
  note?: string;
  /** For an escalation: the answers of earlier members of the chain. */
  said?: GateView['said'];
  /** Who can clear it. Absent: nobody needs to. */
  who?: string;
  /** The queue that no worker serves, if it is a capability’s. */
  queue?: string;
  /** The drained hosts. */
  hosts?: readonly string[];
  /** The data from which a gate's answer is made. */
  gate?: RunMemo['gates'][number];
}

/** The most characters of a text that a reason quotes. */
export const QUOTED_LENGTH = 300;

export function firstLine(text: string): string {
  return shortened(text.trim().split('\n')[0] ?? '', QUOTED_LENGTH);
}
