/** What the tools of agents reach: the step's folder, lines in texts, the web. Tools call these; adapters do it; `worker/` joins the two. */
export interface ToolPorts {
  files: WorkFolders;
  lines: LineSearch;
  web: WebPages;
  /** Those of the worker's own environment that are set. */
  variables(names: readonly string[]): Readonly<Record<string, string>>;
}

/** What may not be done, in words for the agent. Nothing was done. */
export class ToolRefusal extends Error {
  override readonly name = 'Refusal';
}

/** A path inside a folder. */
export interface PathInFolder {
  /** Absolute; its caller vouches for it. */
  folder: string;
  /** As an agent wrote it: nothing is known of it. */
  path: string;
}

/**
 * Files below one folder each. No path leads out of it, whatever it looks like and whatever is changed meanwhile; nothing of git's own
 * is touched. All fail with a `ToolRefusal` where a path may not be used, and with `tool.failed` where the file system does not do it.
 */
export interface WorkFolders {
  read(place: PathInFolder, limitBytes: number): Promise<FileContent>;
  /** Whole or not at all, durable when it returns; folders are made. A file that is there keeps its mode; its other names, its content. */
  write(place: PathInFolder, text: string, options?: { ifStill?: string }): Promise<{ made: boolean }>;
  /** What is below, sorted by name, a folder before what is in it. What is skipped is reported and not entered. */
  walk(place: PathInFolder, depth: number, signal: AbortSignal): AsyncIterable<Found>;
}

export interface FileContent {
  /** From the folder on, with `/` between. */
  path: string;
  content: Buffer;
  /** What it was when it was read: changes whenever the file is written. */
  version: string;
}

export type FoundKind = 'file' | 'folder' | 'link' | 'special' | 'skipped';

export interface Found {
  kind: FoundKind;
  /** From the folder on, with `/` between; no path of a link is one to read. */
  path: string;
  /** The same, from the folder on that was asked for. */
  below: string;
  /** Of files. */
  sizeBytes?: number;
}

export interface SearchedLine {
  /** From 1. */
  line: number;
  text: string;
  /** Else it is beside one that matches. */
  hit: boolean;
}

/** Finds lines by expressions that nobody vouches for. */
export interface LineSearch {
  /** Must be closed. Fails with a `ToolRefusal` where the expression does not read. */
  open(expression: { pattern: string; ignoreCase: boolean }, signal: AbortSignal): OpenSearch;
}

export interface OpenSearch {
  /** Undefined where it took too long; nothing more is found then. */
  lines(text: string, options: { most: number; context: number }): Promise<SearchedLine[] | undefined>;
  close(): Promise<void>;
}

export interface WebPage {
  /** Where it was found in the end. */
  url: string;
  status: number;
  /** Without parameters, in small letters; empty where the server does not say. */
  mediaType: string;
  charset?: string;
  /** Absent where it is no text by its type. */
  body?: Buffer;
  /** There was more than the limit. */
  isCut: boolean;
}

/** Reads pages from public addresses. Fails with a `ToolRefusal` where an address may not be asked, and with `tool.failed`. */
export interface WebPages {
  get(request: { url: string; limitBytes: number }, signal: AbortSignal): Promise<WebPage>;
}
