import type { ArtifactRef, ControlKind, ControlRef } from '../plan/artifact';
import type { Json, JsonObject } from '../plan/json';
import type { Plan } from '../plan/plan';
import type { Proof, Sealed, SealedStart } from '../plan/proof';
import type { Script } from '../plan/script';
import type { ToolSpec } from '../plan/tool';
import type { PrintedBy } from '../records/step-logs';

/** What the outside can do. Activities call these; adapters do it; `worker/` joins the two. */

/** Content-addressed store of outputs. `put` of content that is there already is a success. */
export interface ArtifactStore {
  /** Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** For many puts in a row that a crash of the machine may cost. */
  batch(): ArtifactBatch;
  /** Checked against its digest. Fails with `artifact.missing` or `store.unavailable`. */
  get(ref: OutputDigest): Promise<Buffer>;
  /** Where a person can open it, if anywhere. */
  locate(ref: OutputDigest): string | undefined;
}

/** As much of a reference as finds an output. A reference to control content is none. */
export type OutputDigest = Pick<ArtifactRef, 'sha256' | 'kind'>;

/** Control content (plan/artifact.ts), each kind apart from the others and from outputs. */
export interface ControlReader {
  /** Checked against its digest. Fails with `artifact.missing`, also where the same bytes are there as another kind, or `store.unavailable`. */
  get(ref: ControlRef): Promise<Buffer>;
}

/**
 * Who holds this decides what runs obey. The activities of steps hold a `ControlReader` alone, so that nothing an agent, a command
 * or a person says is ever stored as control content.
 */
export interface ControlStore extends ControlReader {
  /** JSON text. Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put<K extends ControlKind>(kind: K, text: string, name: string): Promise<ControlRef<K>>;
}

/** What is put is there for all at once, also after this process is killed; it survives the machine from `sync` on. */
export interface ArtifactBatch {
  put(content: string, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** Makes all that was put durable. */
  sync(): Promise<void>;
}

/** Which run's records: `run` is the id of its first execution, so it outlives continue-as-new and reset. */
export interface RunKey {
  workflowId: string;
  run: string;
}

/**
 * The record of what was done and paid for (engine.md, *The ledger*). Invariants: 1. what `putIfAbsent` returned once it
 * returns for ever, whoever asks; 2. a crash leaves either no record or a whole one.
 */
export interface Ledger {
  get(run: RunKey, name: string): Promise<Json | undefined>;
  /** Stores the value unless one is there; answers with the one that is. Durable when it returns. */
  putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json>;
  /** Adds one line to a log. Durable when it returns. */
  append(run: RunKey, log: string, line: Json): Promise<void>;
  /**
   * Makes the caller the only writer of a log: what earlier ones still add is no part of it. To be read after this, not before. Fails with
   * `worker.lost` where it was claimed for an attempt that was scheduled later.
   */
  claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog>;
  /** Whole lines of a log that count, oldest first; a line torn by a crash is left out. */
  lines(run: RunKey, log: string): Promise<Json[]>;
  /** Records that are many and cheap to make again, in one log. */
  recordLog(run: RunKey, log: string): Promise<RecordLog>;
}

/** A log as its only writer has it. Both fail with `worker.lost` once somebody else has claimed it. */
export interface ClaimedLog {
  /** Adds one line. Durable when it returns. */
  append(line: Json): Promise<void>;
  /** For the moment before something is done that the log does not see. */
  requireOwn(): Promise<void>;
}

/**
 * Records in one append-only log. Invariants as the ledger's, but for one: what was put survives this process at once, and a
 * crash of the machine only from `close` on. So it is for what nobody paid for.
 *
 * It also says who is at work. A worker that was stopped and goes on later can neither begin anything that another has claimed since, nor
 * record over what another has begun.
 */
export interface RecordLog {
  /** As far as it is known here: `begin` and `putIfAbsent` take in what others wrote. */
  get(name: string): Json | undefined;
  /** Fails with `worker.lost` where another writer has begun the same since. */
  putIfAbsent(name: string, value: Json): Json;
  /**
   * From here on no earlier writer begins one of these, or what is below one (`name/…`). Of what was claimed for an attempt that was
   * scheduled later nothing is claimed: `begin` says so.
   */
  claim(names: readonly string[], scheduledAtMs?: number): void;
  /** An intent, to be recorded before the effect. Says whether somebody began before. Fails with `worker.lost` where another writer has claimed it since. */
  begin(name: string): boolean;
  close(): Promise<void>;
}

export interface CommandRequest {
  command: { shell: string } | { argv: readonly string[] };
  cwd?: string;
  /** What the command sees beside `env`, as it is. Absent: of the worker's own environment, what holds no secrets. */
  inherit?: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs?: number;
  outputLimitBytes: number;
  /**
   * Of both streams the beginning and the end are kept, within the limit, and what is left out is told in between: no output is too
   * large then. Failures have both in their details, as `stdout` and `stderr`.
   */
  cut?: true;
  /** Called with each piece of what it prints, as it comes. */
  onOutput?: PrintedBy;
}

export interface CommandResult {
  stdout: string;
  stderr: string;
}

/** Runs a process in a group of its own and waits for it. Fails with `command.failed`, `command.timeout`, `output.too-large`. */
export interface ProcessRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
  /** Brings about what a command needs before it begins; nothing of the command itself happens before `run`. */
  prepare?(request: CommandRequest): PreparedCommand;
}

/** Must be run or dropped, once. */
export interface PreparedCommand {
  run(signal: AbortSignal): Promise<CommandResult>;
  drop(): void;
}

/** Where a run was asked for: what the commands of a Lobster file see. */
export interface Caller {
  env: Readonly<Record<string, string>>;
  /** Absent: wherever the worker is. */
  cwd?: string;
}

/** Callers by workflow id. They hold what the caller's shell held, so they are kept from history, logs and other users. */
export interface Environments {
  /** Where none was left for the run: the worker's own environment, without what is Thermidor's. Fails with `store.unavailable`. */
  callerOf(workflowId: string): Promise<Caller>;
  /** A child run gets what its parent has, unless it has its own. */
  inherit(workflowId: string, parent: string): Promise<void>;
}

/** Checks who a decision, or the start of a run, comes from. */
export interface Seals {
  /** Undefined where the seal holds; else the problem in words. Fails with `secret.missing`, `store.unavailable`. */
  check(sealed: Sealed | SealedStart, proof: Proof): Promise<string | undefined>;
}

/** A compiled pipeline with the blobs its plan names by digest. */
export interface LoadedPipeline {
  plan: Plan;
  blobs: ReadonlyMap<string, { content: string; mediaType: string; name: string }>;
}

/** Finds and compiles pipelines and scripts by name. Fails with `pipeline.*`, `script.*`. */
export interface PipelineSource {
  pipeline(name: string): Promise<LoadedPipeline>;
  /** Of all there are, sorted. */
  names?(): readonly string[];
  /** `text` is the script as it stands in its file. */
  script(pipeline: string, name: string): Promise<{ text: string; script: Script }>;
  /** Reads a script's text, for one that a client stored. */
  readScript(name: string, text: string): Script;
}

/** Servers of tools that agents may call, by the names they are set up under. */
export interface ToolServers {
  names: readonly string[];
  /** For one try of an agent, whose programs work in `cwd`. Fails with `tool.failed` where it cannot be reached; `secret.missing`. */
  open(name: string, at: ToolServerUse, signal: AbortSignal): Promise<ToolServer>;
}

export interface ToolServerUse {
  cwd: string;
  /** The tools that are wanted, by the server's names; the others are not looked at. Absent: all. */
  only?: ReadonlySet<string>;
  log(message: string): void;
  /** Takes out what the run hides, beside the server's own secrets, before anything is cut. */
  mask?(text: string): string;
}

/** Must be closed; its processes and sockets have ended when `close` resolves. */
export interface ToolServer {
  /** Those whose description of themselves can be used, by the names the server has for them. */
  tools: readonly ToolSpec[];
  /** Of all its tools, those that cannot be used or were not wanted too. */
  names: readonly string[];
  /** What the server says, as text; `failed` where it says that it could not. Fails with `tool.failed`. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<{ text: string; failed?: true }>;
  close(): Promise<void>;
}

/** Resolves `secret://env/NAME` and `secret://file/path`; other text as it is. Fails with `secret.missing`. */
export interface Secrets {
  resolve(reference: string): Promise<string>;
  /** The worker's own, as far as they are known by now: what its environment holds under such names, and what was resolved. */
  known?(): readonly string[];
}

export interface HttpPost {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Of the answer. */
  limitBytes: number;
}

/** Posts to services that a pipe names. Fails with `stage.failed` where nobody answers, `output.too-large`. */
export interface HttpClient {
  post(request: HttpPost, signal: AbortSignal): Promise<{ status: number; statusText: string; text: string }>;
}

/** Files of the author's that pipes read and keep. Fails with `stage.failed`, `output.too-large`. */
export interface TextFiles {
  /** Undefined where there is none. */
  read(path: string, limitBytes: number): Promise<string | undefined>;
  /** Whole or not at all; folders are made. */
  write(path: string, text: string): Promise<void>;
}

/** The commit that a folder's work tree is at; undefined where it is none, or has none. */
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
  /** In the order of the questions; undefined where it took too long. */
  answers(questions: readonly TextQuestion[]): Promise<boolean[] | undefined>;
}
