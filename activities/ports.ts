import type { Script } from '../plan/agents/script';
import type { ToolSpec } from '../plan/agents/tool';
import type { GateLink } from '../plan/people/notice';
import type { Proof, Sealed, SealedStart } from '../plan/people/proof';
import type { Plan } from '../plan/plan';
import type { MarkedCall } from '../plan/run/call-seal';
import type { JsonObject } from '../plan/text/json';
import type { Mask } from '../plan/text/masker';
import type { PrintedBy } from '../records/step-logs';

/** The ports to the outside. Activities call these; adapters implement them; `worker/` joins the two. */

export interface CommandRequest {
  command: { shell: string } | { argv: readonly string[] };
  cwd?: string;
  /**
   * Variables that the command sees in addition to `env`, unchanged. Absent: those of the worker's own environment that contain no secrets.
   */
  inherit?: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs?: number;
  outputLimitBytes: number;
  /**
   * Keeps the beginning and the end of both streams, within the limit, with a note between them on the omitted part: no output is too large
   * then. Failures have both in their details, as `stdout` and `stderr`.
   */
  cut?: true;
  /** An exit code other than 0 is a result as well. */
  anyExit?: true;
  /** A file that it writes, in its folder or by its whole path: read once it has ended, within the limit of its output. */
  writes?: string;
  /**
   * Gets whole lines of its standard output, in order, one call at a time: until it settles the command is not read. Its failure ends the
   * command; `signal` is aborted if the command has ended otherwise.
   */
  onLines?: OnLines;
  /** Called with each piece of output, as it comes. */
  onOutput?: PrintedBy;
  /** Takes secrets out of what is cut, before it is cut. What is whole stays as it came. */
  mask?: Mask;
}

export type OnLines = (lines: readonly string[], signal: AbortSignal) => Promise<void>;

export interface CommandResult {
  stdout: string;
  stderr: string;
  /** Set if it is not 0. */
  exitCode?: number;
  /** The file that it should write; absent if it has not written it. */
  written?: string;
}

/** Runs a process in a group of its own and waits for it. Fails with `command.failed`, `command.timeout`, `output.too-large`. */
export interface ProcessRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
  /** Prepares a command before it begins; nothing of the command itself happens before `run`. */
  prepare?(request: CommandRequest): PreparedCommand;
}

/** Must be run or dropped, once. */
export interface PreparedCommand {
  run(signal: AbortSignal): Promise<CommandResult>;
  drop(): void;
}

/** Checks who a decision, or the start of a run, comes from. */
export interface Seals {
  /** Undefined if the seal is valid; else the problem in words. Fails with `secret.missing`, `store.unavailable`. */
  check(sealed: Sealed | SealedStart, proof: Proof): Promise<string | undefined>;
}

/** Gates that a message can be about. Fails with `store.unavailable`, `secret.missing`. */
export interface LinkedGates {
  /**
   * What buttons and links to the gate carry. The same gate has the same key, and nobody can guess it. At most 64 characters of
   * `[A-Za-z0-9_-]`.
   */
  keyFor(link: GateLink): Promise<string>;
}

/** Seals the calls of activities that workflow code makes, and knows what it has sealed. Both fail with `store.unavailable`. */
export interface CallSeals {
  seal(call: MarkedCall, inputJson: string): Promise<string>;
  isOurs(call: MarkedCall, inputJson: string, seal: string): Promise<boolean>;
}

/** A compiled pipeline with the blobs its plan names by digest. */
export interface LoadedPipeline {
  plan: Plan;
  blobs: ReadonlyMap<string, { content: string; mediaType: string; name: string }>;
}

/** Finds and compiles pipelines and scripts by name. Fails with `pipeline.*`, `script.*`. */
export interface PipelineSource {
  pipeline(name: string): Promise<LoadedPipeline>;
  /** All names, sorted. */
  names?(): readonly string[];
  /** `text` is the unchanged script of its file. */
  script(pipeline: string, name: string): Promise<{ text: string; script: Script }>;
  /** Reads a script's text, for one that a client stored. */
  readScript(name: string, text: string): Script;
}

/** Servers of tools that agents may call, by the names they are set up under. */
export interface ToolServers {
  names: readonly string[];
  /**
   * Opens a server for one try of an agent, whose programs work in `cwd`. Fails with `tool.failed` if it cannot be reached;
   * `secret.missing`.
   */
  open(name: string, at: ToolServerUse, signal: AbortSignal): Promise<ToolServer>;
}

export interface ToolServerUse {
  cwd: string;
  /** The server's program with its arguments, if it comes with the agent. Absent: the worker's settings say it. */
  command?: readonly string[];
  /** Variables for a server's program, in addition to its usual ones. */
  env?: Readonly<Record<string, string>>;
  /** The tools that are wanted, by the server's names; the others are not looked at. Absent: all. */
  only?: ReadonlySet<string>;
  log(message: string): void;
  /** Takes out what the run hides, in addition to the server's own secrets, before anything is cut. */
  mask?: Mask;
}

/** Must be closed; its processes and sockets have ended when `close` resolves. */
export interface ToolServer {
  /** The tools with usable descriptions, by the server's names for them. */
  tools: readonly ToolSpec[];
  /** The names of all its tools, including unusable and unwanted ones. */
  names: readonly string[];
  /** Why tools that were wanted are not among `tools`, a sentence each. */
  leftOut?: readonly string[];
  /** The server's answer, as text; `failed` if it reports that it could not. Fails with `tool.failed`. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<{ text: string; failed?: true }>;
  close(): Promise<void>;
}

/** Resolves `secret://env/NAME` and `secret://file/path`; other text stays unchanged. Fails with `secret.missing`. */
export interface Secrets {
  resolve(reference: string): Promise<string>;
  /** The worker's own secrets known so far: variables of its environment with such names, and resolved ones. */
  known?(): readonly string[];
}

export interface HttpPost {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The limit of the answer. */
  limitBytes: number;
}

/** Posts to services that a pipe names. Fails with `stage.failed` if nobody answers, `output.too-large`. */
export interface HttpClient {
  post(request: HttpPost, signal: AbortSignal): Promise<{ status: number; statusText: string; text: string }>;
}

/** Files of the author's that pipes read and keep. Fails with `stage.failed`, `output.too-large`. */
export interface TextFiles {
  /** Undefined if there is none. */
  read(path: string, limitBytes: number): Promise<string | undefined>;
  /** Writes completely or not at all; creates folders. */
  write(path: string, text: string): Promise<void>;
}

/**
 * Text files that runs of several processes add to and people edit. A path counts from the worker's folder. Fails with `memory.unusable`,
 * `memory.too-large`.
 */
export interface SharedFiles {
  /** Undefined if there is none. */
  read(path: string, limitBytes: number): Promise<string | undefined>;
  /**
   * Writes completely or not at all, and creates folders; an unchanged text is not written. Concurrent changes are not lost: `change` is
   * called again.
   */
  edit(path: string, limitBytes: number, change: (text: string | undefined) => string): Promise<void>;
}

/** The commit of a folder's work tree; undefined if the folder is no work tree, or has no commit. */
export type WorkHead = (folder: string) => Promise<string | undefined>;

/** Whether a text fits an expression. */
export interface TextQuestion {
  /** `pattern` is one of RE2, `native` one of JavaScript with the flags `iu`, `format` the name of a format of JSON Schema. */
  kind: 'pattern' | 'native' | 'format';
  expression: string;
  text: string;
}

/** Matches texts that would hold up the worker's own work. */
export interface TextMatching {
  /** Answers in the order of the questions; undefined if it took too long. */
  answers(questions: readonly TextQuestion[]): Promise<boolean[] | undefined>;
}
