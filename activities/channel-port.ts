import type { GateNotice, NoticeKind } from '../plan/people/notice';
import type { ChannelSpec } from '../plan/plan';
import type { RunEnd } from '../plan/run/run-end';

/** How people are reached: what a message says, who delivers it, and which gate its buttons and links answer. */

export interface ChannelMessage {
  /** Same for the same message, from any sender. */
  idempotencyKey: string;
  run: string;
  channel: string;
  /** What it is about, in one line: words of ours and ids, nothing that an agent wrote. */
  title: string;
  /** The message alone, as authors and agents wrote it: each adapter escapes it as its service needs. */
  body: string;
  /** The whole of it as plain text, with the mention, and with how to answer where it asks. */
  text: string;
  kind: NoticeKind;
  /** The agent that speaks, by id. Absent: the run itself. */
  from?: string;
  spec?: ChannelSpec;
  /** What it asks. */
  gate?: AskedGate;
  /** What the gate shows in addition to its question, whole: each adapter takes as much as its service does. */
  shown?: string;
  /** The output of a step that goes with it: each adapter takes as much of it as its service does, and says what is left out. */
  report?: AttachedReport;
  /** How the run's work ended, once it has. */
  end?: RunEnd;
}

/** Text without secrets. */
export interface AttachedReport {
  /** A file's, without a folder. */
  name: string;
  mediaType: string;
  text: string;
  /** The line of our command line that shows all of it. */
  command: string;
}

/** `key` is what buttons and links carry; `url` leads to the gate's own page, where the worker knows its address. */
export type AskedGate = GateNotice & {
  key: string;
  url?: string;
  /** Whose clock its times are shown by. @default 'UTC' */
  zone?: string;
  /** Lines of our own command line that answer it, one a choice. */
  commands: readonly string[];
};

/**
 * A way out to people. Fails with `channel.unavailable` (details `{unanswered: true}` where the message may have been taken all the same),
 * `channel.refused`, `secret.missing`; never names an address or a key.
 */
export interface ChannelAdapter {
  readonly name: string;
  /** Whether this adapter serves the channel. */
  serves(message: ChannelMessage): boolean;
  deliver(message: ChannelMessage, signal: AbortSignal): Promise<void>;
}
