import type { Address } from '../plan/address';
import type { ArtifactRef } from '../plan/artifact';
import type { Json } from '../plan/json';
import type { AgentDefinition, ChannelSpec, Plan } from '../plan/plan';
import type { Script } from '../plan/script';
import type { Usage } from '../plan/usage';

/** What the outside can do. Activities call these; adapters do it; `worker/` joins the two. */

/** Content-addressed store. `put` of content that is there already is a success. */
export interface ArtifactStore {
  /** Durable when it returns. Fails with `output.too-large` or `store.unavailable`. */
  put(content: string | Uint8Array, as: { mediaType: string; name?: string }): Promise<ArtifactRef>;
  /** Checked against its digest. Fails with `artifact.missing` or `store.unavailable`. */
  get(ref: Pick<ArtifactRef, 'sha256'>): Promise<Buffer>;
  /** Where a person can open it, if anywhere. */
  locate(ref: Pick<ArtifactRef, 'sha256'>): string | undefined;
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
  /** Whole lines of a log, oldest first; a line torn by a crash is left out. */
  lines(run: RunKey, log: string): Promise<Json[]>;
}

/** One request to an agent within a try. The transcript is what a resumed try or a repair goes on from. */
export interface AgentRequest {
  /** `workflowId/run/address/ask`: the same whenever the same request is made again. */
  idempotencyKey: string;
  stepId: string;
  address: Address;
  /** 1 for the task, 2 for its repair. */
  ask: number;
  agent: AgentDefinition;
  prompt: string;
  transcript: readonly Turn[];
  schema?: Json;
  script?: Script;
}

export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  usage?: Usage;
}

/** A way to run an agent. Yields turns as they come; the last one's text is the reply. Fails with codes of `model.*`, `script.*`. */
export interface AgentAdapter {
  readonly name: string;
  run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn>;
}

export interface CommandRequest {
  command: { shell: string } | { argv: readonly string[] };
  cwd?: string;
  env: Readonly<Record<string, string>>;
  stdin?: string;
  timeoutMs?: number;
  outputLimitBytes: number;
}

export interface CommandResult {
  stdout: string;
  stderr: string;
}

/** Runs a process in a group of its own and waits for it. Fails with `command.failed`, `command.timeout`, `output.too-large`. */
export interface ProcessRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
}

export interface ChannelMessage {
  /** Same for the same message, whoever sends it again. */
  idempotencyKey: string;
  run: string;
  channel: string;
  text: string;
  spec?: ChannelSpec;
}

/** A way out to people. Fails with `channel.unavailable`. */
export interface ChannelAdapter {
  readonly name: string;
  /** Whether this adapter serves the channel. */
  serves(message: ChannelMessage): boolean;
  deliver(message: ChannelMessage, signal: AbortSignal): Promise<void>;
}

/** A compiled pipeline with the blobs its plan names by digest. */
export interface LoadedPipeline {
  plan: Plan;
  blobs: ReadonlyMap<string, { content: string; mediaType: string; name: string }>;
}

/** Finds and compiles pipelines and scripts by name. Fails with `pipeline.*`, `script.*`. */
export interface PipelineSource {
  pipeline(name: string): Promise<LoadedPipeline>;
  /** `text` is the script as it stands in its file. */
  script(pipeline: string, name: string): Promise<{ text: string; script: Script }>;
  /** Reads a script's text, for one that a client stored. */
  readScript(name: string, text: string): Script;
}

/** Resolves `secret://env/NAME` and `secret://file/path`; other text as it is. Fails with `secret.missing`. */
export interface Secrets {
  resolve(reference: string): Promise<string>;
}
