import type { ArtifactRef } from '../run/artifact';

/** Messages between the members of a team, and what waits for an answer. */

export const MESSAGE_TYPES = [
  'message',
  'broadcast',
  'shutdown_request',
  'shutdown_response',
  'plan_approval',
  'plan_approval_response',
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export interface BoardMessage {
  /** Unique in its board: the same message is delivered once. */
  id: string;
  type: MessageType;
  /** A member's name, `LEAD`, `BOARD`, or a person as gates name one. */
  from: string;
  to: string;
  /** At most `SHORT_CHARACTERS`; a longer text is in the store, and this is its beginning. */
  content: string;
  whole?: ArtifactRef;
  /** The characters of the whole text. */
  characters: number;
  /** ISO 8601. */
  at: string;
  /** Pairs an answer with its request. */
  requestId?: string;
  /** In an answer. */
  approved?: boolean;
}

/** `answered`: a person has written to its sender since. */
export type MessageToPerson = BoardMessage & { answered?: true };

export const SHORT_CHARACTERS = 200;
/** The limits of one inbox. */
export const MOST_MESSAGES = 1000;
export const MOST_INBOX_CHARACTERS = 400_000;

/** What the board itself writes is from it. No member has this name, or one of the next three: names of members have no blanks. */
export const BOARD = '(board)';

/** Who gives back a task that could not land. */
export const MERGE_QUEUE = 'the merge queue';

/** Who gives a task by a signed request: a program with the secret of the team. */
export const WEB_HOOK = 'a web hook';

/** Who gives a task by a step of a pipeline. */
export function askingRun(workflowId: string): string {
  return `run ${workflowId}`;
}

/** How members call the lead, be it an agent or a person. */
export const LEAD = 'lead';

/** The beginning of a plan's request id: it tells an answer to a plan from an answer to a request to shut down. */
export const PLAN_REQUEST = 'plan-';
