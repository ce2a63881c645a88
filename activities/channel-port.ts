import type { GateLink, NoticeKind } from '../plan/people/notice';
import type { ChannelSpec } from '../plan/plan';
import type { RunEnd } from '../plan/run/run-end';

/** How people are reached: the content of a message, who delivers it, and which gate its buttons and links answer. */

export interface ChannelMessage {
  /** Same for the same message, from any sender. */
  idempotencyKey: string;
  run: string;
  channel: string;
  /** The subject, in one line: our own words and ids, no text of agents. */
  title: string;
  /** The message alone, as authors and agents wrote it: each adapter escapes it as its service needs. */
  body: string;
  /** The whole message as plain text, with the mention, and with how to answer if it asks something. */
  text: string;
  kind: NoticeKind;
  /** The agent that speaks, by id. Absent: the run itself. */
  from?: string;
  spec?: ChannelSpec;
  /** The gate it asks about. */
  gate?: AskedGate;
  /** What the gate shows in addition to its question, in full: each adapter cuts it to its service's limit. */
  shown?: string;
  /** A step's output sent with it: each adapter cuts it to its service's limit, and says what is left out. */
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
  /** Our command that shows all of it. */
  command: string;
}

/** `key` is in buttons and links; `url` leads to the gate's own page, if the worker knows its address. */
export interface AskedGate extends Omit<GateLink, 'run' | 'channel'> {
  key: string;
  url?: string;
  /** Our commands that answer it, one for each choice. */
  commands: readonly string[];
}

/**
 * A way to reach people. Fails with `channel.unavailable` (details `{unanswered: true}` if the message may have been accepted anyway),
 * `channel.refused`, `secret.missing`; never names an address or a key.
 */
export interface ChannelAdapter {
  readonly name: string;
  /** Whether this adapter serves the channel. */
  serves(message: ChannelMessage): boolean;
  deliver(message: ChannelMessage, signal: AbortSignal): Promise<void>;
}
