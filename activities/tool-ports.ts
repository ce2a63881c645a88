/**
 * The ports of agents' tools: the step's folder, lines in texts, the web. Tools call these; adapters implement them; `worker/` joins the
 * two.
 */
export interface ToolPorts {
  files: WorkFolders;
  lines: LineSearch;
  web: WebPages;
  /** The given variables of the worker's own environment that are set. */
  variables(names: readonly string[]): Readonly<Record<string, string>>;
}

/** An operation that is not allowed, in words for the agent. Nothing was done. */
export class ToolRefusal extends Error {
  override readonly name = 'Refusal';
}

/** A path inside a folder. */
export interface PathInFolder {
  /** Absolute; its caller vouches for it. */
  folder: string;
  /** An agent's unchecked text. */
  path: string;
}

/**
 * Files below one folder each. No path leads out of it, whatever it looks like and whatever is changed meanwhile; git's own files are not
 * touched. All fail with a `ToolRefusal` if a path is not allowed, and with `tool.failed` for a file system error.
 */
export interface WorkFolders {
  read(place: PathInFolder, limitBytes: number): Promise<FileContent>;
  /** Writes completely or not at all, durably; creates folders. An existing file keeps its mode; its other names keep its content. */
  write(place: PathInFolder, text: string, options?: { ifStill?: string }): Promise<{ made: boolean }>;
  /** The entries below, sorted by name, a folder before its content. Skipped ones are reported and not entered. */
  walk(place: PathInFolder, depth: number, signal: AbortSignal): AsyncIterable<Found>;
}

export interface FileContent {
  /** Relative to the folder, with `/` between. */
  path: string;
  content: Buffer;
  /** The file's version when it was read: changes whenever the file is written. */
  version: string;
}

export type FoundKind = 'file' | 'folder' | 'link' | 'special' | 'skipped';

export interface Found {
  kind: FoundKind;
  /** Relative to the folder, with `/` between; the path of a link cannot be read. */
  path: string;
  /** The path relative to the folder that was asked for. */
  below: string;
  /** Set for files. */
  sizeBytes?: number;
}

export interface SearchedLine {
  /** Counts from 1. */
  line: number;
  text: string;
  /** Whether it matches; otherwise it is context. */
  hit: boolean;
}

/** Finds lines by untrusted expressions. */
export interface LineSearch {
  /** Must be closed. Fails with a `ToolRefusal` if the expression is invalid. */
  open(expression: { pattern: string; ignoreCase: boolean }, signal: AbortSignal): OpenSearch;
}

export interface OpenSearch {
  /** Undefined if it took too long; nothing more is found then. */
  lines(text: string, options: { most: number; context: number }): Promise<SearchedLine[] | undefined>;
  close(): Promise<void>;
}

export interface WebPage {
  /** The final address. */
  url: string;
  status: number;
  /** Without parameters, in small letters; empty if the server does not say. */
  mediaType: string;
  charset?: string;
  /** The content; absent if its type says that it is not text. */
  body?: Buffer;
  /** There was more than the limit. */
  isCut: boolean;
}

/** Reads pages from public addresses. Fails with a `ToolRefusal` if an address is not allowed, and with `tool.failed`. */
export interface WebPages {
  get(request: { url: string; limitBytes: number }, signal: AbortSignal): Promise<WebPage>;
}
