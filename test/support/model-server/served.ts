import type { Json } from '../../../plan/text/json';

/** The answer of a server to one request. */
export type Served<Reply> = Reply | ServedError | { kind: 'silence' };

/** The fields that the replies of all dialects have. */
export interface ReplyBase {
  kind: 'reply';
  /** @default the requested model */
  model?: string;
  /** The time before anything is sent. */
  afterMs?: number;
  /** The time between two frames. */
  dripMs?: number;
  fault?: Fault;
}

/** If `body` is absent, the dialect words the error. Each dialect uses some of the fields. */
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

/** Frames (events of a stream) are counted from 1. `reply-events.ts` and `reply-chunks.ts` say which ones come first. */
export type Fault =
  /** Cuts the connection before this frame; earlier frames are sent. */
  | { kind: 'cut'; at: number }
  /** Cuts the connection at this byte of the stream, within a frame. */
  | { kind: 'cut-bytes'; atByte: number }
  /** The stream ends before this frame without an error. */
  | { kind: 'end'; at: number }
  /** A frame that ends in the middle of its JSON comes before this frame. */
  | { kind: 'malformed'; at: number }
  /** An error in the stream before this frame, in the dialect's words. */
  | { kind: 'error'; at: number; error: Json }
  /** Nothing more is sent, and the connection stays open. */
  | { kind: 'hang'; at: number }
  /** The text continues forever. */
  | { kind: 'endless' }
  /** A line without an end follows the first frame that is paid for. */
  | { kind: 'endless-line' }
  /** An invalid UTF-8 sequence replaces the first `é`. */
  | { kind: 'invalid-utf8' };

export function fail(status: number, message: string, more: Omit<ServedError, 'kind' | 'status' | 'message'> = {}): ServedError {
  return { kind: 'error', status, message, ...more };
}

export function webPage(status = 200): ServedError {
  return { kind: 'error', status, body: '<!doctype html><html><body>Welcome</body></html>' };
}
