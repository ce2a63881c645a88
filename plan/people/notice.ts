import type { GateView } from './gate';

/** A message to a channel and, if it is about a gate, what a person needs to answer it from there. */
const NOTICE_KINDS = ['message', 'gate', 'reminder', 'closed', 'error'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The gate that a notice of kind `gate` or `reminder` asks about. */
export interface GateNotice
  extends Pick<
    GateView,
    | 'step'
    | 'item'
    | 'kind'
    | 'question'
    | 'choices'
    | 'shownSha256'
    | 'approvers'
    | 'approvedBy'
    | 'notBy'
    | 'comment'
    | 'identity'
    | 'note'
    | 'said'
    | 'deadline'
  > {
  /** The command of the plain Temporal CLI that answers it. Absent: a plain signal proves nothing, and would be refused. */
  answer?: string;
}

/** The gate that a button or a link in a message answers. */
export interface GateLink extends GateNotice {
  run: string;
  channel: string;
  /** The time zone in which its times are shown. @default 'UTC' */
  zone?: string;
}
