import type { Json } from '../../../plan/text/json';

/** What a server gives for one request. */
export type Served<Reply> = Reply | ServedError | { kind: 'silence' };

/** What the replies of all dialects have. */
export interface ReplyBase {
  kind: 'reply';
  /** @default the one that was asked for */
  model?: string;
  /** Before anything is sent. */
  afterMs?: number;
  /** Between frames. */
  dripMs?: number;
  fault?: Fault;
}

/** `body` absent: an error as the dialect words it, of which each knows some of the fields. */
export interface ServedError {
  kind: 'error';
  status: number;
  message?: string;
  type?: string;
  code?: string;
  param?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** Frames (events of a stream) are counted from 1; what the first ones are says the dialect: `reply-events.ts`, `reply-chunks.ts`. */
export type Fault =
  /** Cuts the connection before this frame; earlier frames are sent. */
  | { kind: 'cut'; at: number }
  /** Within the frame that has this byte of the stream. */
  | { kind: 'cut-bytes'; atByte: number }
  /** The stream ends as if all were well. */
  | { kind: 'end'; at: number }
  /** A frame that breaks off in its JSON is put before it. */
  | { kind: 'malformed'; at: number }
  /** An error in the stream, in the dialect's words. */
  | { kind: 'error'; at: number; error: Json }
  /** Nothing more comes, and the connection stays. */
  | { kind: 'hang'; at: number }
  /** The text continues forever. */
  | { kind: 'endless' }
  /** Behind the first frame that is paid for. */
  | { kind: 'endless-line' }
  /** In place of the first letter `é`. */
  | { kind: 'invalid-utf8' };

export function fail(status: number, message: string, more: Omit<ServedError, 'kind' | 'status' | 'message'> = {}): ServedError {
  return { kind: 'error', status, message, ...more };
}

export function webPage(status = 200): ServedError {
  return { kind: 'error', status, body: '<!doctype html><html><body>Welcome</body></html>' };
}
