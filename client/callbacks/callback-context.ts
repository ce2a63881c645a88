import type { Chat, ChatTexts } from '../../plan/people/chats';
import type { GateView } from '../../plan/people/gate';
import type { GateLink } from '../../plan/people/notice';
import type { Directory } from '../../plan/people/people';
import type { CodecSpec } from '../../plan/run/services';
import type { SignalName, SignalPayload, SignalReceipt } from '../../plan/run/signal';
import type { Json } from '../../plan/text/json';
import type { RefusedAnswers } from '../../records/refused-answers';
import type { AppliedHook } from '../hooks/applied-hook';
import type { Turns } from '../hooks/turns';
import type { RateLimit } from './rate-limit';
import type { ReplayGuard } from './replay-guard';

/** What the listener for answers from chats, webhooks and links needs. It knows neither files nor the command line. */

export interface CallbackSettings {
  /** @default '127.0.0.1': this machine alone */
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Where the listener can be reached from outside, if anywhere: forms may be posted from there. */
  url?: string;
  /** Requests that one sender may make within a minute. */
  rate: number;
  /** What requests of each chat are checked with. Nothing is taken from a chat that has none. */
  chats?: ChatTexts;
  /** Pipelines that people may start by a command of their chat. @default none */
  start?: readonly string[];
  /** The secrets that sign tasks for teams, by the team. @default no team takes tasks here */
  teams?: Readonly<Record<string, string>>;
  /** The only address that the outcome of an answer is reported to. @default the chat's own */
  reportTo?: ChatTexts;
  /** Who may have payloads opened. @default nobody */
  codec?: CodecSpec;
  /** How long a whole request may take to arrive. @default 10000 */
  requestLimitMs?: number;
  /** How long a chat waits for an answer. Later ones follow in a message of their own. @default 2000 */
  chatWaitMs?: number;
}

/** The current state of a gate. */
export type GateNow =
  | { kind: 'open'; view: GateView }
  /** Decided, superseded, changed, or the run is over. */
  | { kind: 'closed' }
  /** The run does not answer. */
  | { kind: 'unknown' };

/** A command from a chat. `id` is the chat's own: the same command starts one run. */
export interface ChatStart {
  pipeline: string;
  args: Record<string, Json>;
  by: string;
  channel: Chat;
  id: string;
}

/** A run that a web hook starts. The same id starts one run. */
export interface HookedStart {
  run: string;
  hook: AppliedHook;
  args: Record<string, Json>;
}

/** Payloads as Temporal's codec servers take them, in bytes. */
export interface CodecPayload {
  metadata: Record<string, Uint8Array>;
  data: Uint8Array;
}

/** Opens and seals payloads. Fails with `encryption.key-missing`. */
export interface CodecPort {
  encode(payloads: CodecPayload[]): Promise<CodecPayload[]>;
  decode(payloads: CodecPayload[]): Promise<CodecPayload[]>;
}

export interface CallbackPorts {
  /** Seals decisions for the run's worker, which has the same. */
  key: Buffer;
  directory: Directory;
  /** Undefined if the person has none. Fails with `secret.missing`. */
  tokenOf(person: string): Promise<string | undefined>;
  /** The secret that signs the answers of a webhook's receiver. */
  webhookSecretOf(gate: GateLink): Promise<string | undefined>;
  /** Undefined if there is no such key; any text is safe to pass. */
  gateFor(key: string): Promise<GateLink | undefined>;
  gateNow(gate: GateLink, limitMs: number): Promise<GateNow>;
  /** Decides, or gives a task, by an update. Fails as `actOnRun` does. */
  decide(run: string, name: SignalName, payload: SignalPayload): Promise<SignalReceipt>;
  /** Starts a run for `by`, who is proven; returns its id. Fails as `startRequestedRun` does. */
  start(order: ChatStart): Promise<string>;
  /** The web hook of a path. Undefined if there is none. Fails with a `ClientProblem` if the server does not say. */
  hook(path: string): Promise<AppliedHook | undefined>;
  /** The value of a reference. Fails with `secret.missing`. */
  secret(reference: string): Promise<string>;
  /** Starts a run that nobody has proven to start. `again`: it was there. Fails as `startRun` does. */
  startHooked(order: HookedStart): Promise<{ again: boolean }>;
  /** Sends a signal, so that the run's journal records the refusal. */
  note(run: string, name: SignalName, payload: SignalPayload): Promise<void>;
  /** What the gate shows in addition to its question. Undefined if that is not in the store here. */
  shown(gate: GateLink): Promise<string | undefined>;
  /** How the gate is answered at a command line. */
  commands(gate: GateLink): readonly string[];
  codec: CodecPort;
  /** Reports a problem other than the answer itself. Must be given no secrets. */
  warn(message: string): void;
  now(): number;
}

/** What all channels share. */
export interface CallbackContext {
  settings: CallbackSettings;
  ports: CallbackPorts;
  limit: RateLimit;
  /** The rates of web hooks, by their schedules. */
  hookLimit: RateLimit;
  /** Web hooks that start runs at once. */
  turns: Turns;
  /** What is wrong with web hooks; each is warned of once. */
  hookWarnings: { add(message: string): void };
  replays: ReplayGuard;
  refused: RefusedAnswers;
  /** Work that continues after a request was answered. Its failures are warned of. */
  later(work: Promise<unknown>): void;
}

export const CHAT_WAIT_MS = 2_000;
export const REQUEST_LIMIT_MS = 10_000;
