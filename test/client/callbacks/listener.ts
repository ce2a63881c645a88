import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLBACK_WAYS } from '../../../channels/callbacks';
import type { CallbackPorts, CallbackSettings, ChatStart, GateNow } from '../../../client/callbacks/callback-context';
import { type CallbackListener, listenForCallbacks } from '../../../client/callbacks/listen';
import { ClientProblem } from '../../../client/client-problem';
import type { GateView } from '../../../plan/people/gate';
import type { GateLink } from '../../../plan/people/notice';
import type { Directory } from '../../../plan/people/people';
import type { SignalName, SignalOutcome, SignalPayload } from '../../../plan/run/signal';
import { RefusedAnswerFiles } from '../../../records/directory/refused-answer-files';

/** A listener over real HTTP, with a run that a test answers for. */
export const KEY = 'k'.repeat(32);
export const SHOWN = 'a'.repeat(64);
export const NOW = Date.parse('2026-11-21T10:00:00Z');
export const SERVICE_KEY = Buffer.from('service key of the tests');
export const SLACK_SECRET = 'slack signing secret';
export const HOOK_SECRET = 'webhook secret';

export const GATE: GateLink = {
  run: 'run-1',
  channel: '#approvals',
  step: 'approve',
  kind: 'approval',
  question: 'Deploy <b>now</b>?',
  choices: ['approve', 'reject', 'later: maybe'],
  shownSha256: SHOWN,
  approvers: ['chairman', 'cfo'],
  deadline: '2026-11-22T10:00:00.000Z',
  answer: `temporal workflow signal -w run-1 --name approve`,
};

export const PEOPLE: Directory = {
  people: {
    chairman: { discord: '81', slack: 'U1', token: 'chairman’s own token' },
    cfo: { discord: '82', slack: 'U2' },
  },
  groups: { board: ['chairman', 'cfo'] },
};

export interface Sent {
  run: string;
  name: SignalName;
  payload: SignalPayload;
}

export interface Bench {
  listener: CallbackListener;
  ports: CallbackPorts;
  folder: string;
  decided: Sent[];
  started: ChatStart[];
  noted: Sent[];
  warnings: string[];
  privateKey: KeyObject;
  post(path: string, body: string, headers?: Record<string, string>): Promise<Response>;
  get(path: string): Promise<Response>;
  refused(): Record<string, unknown>[];
  close(): Promise<void>;
}

export function openGate(more: Partial<GateView> = {}): GateNow {
  const { step, question, choices } = GATE;
  const view: GateView = {
    step,
    kind: 'approval',
    question,
    choices,
    openedAt: '2026-11-21T09:00:00Z',
    shown: [],
    shownSha256: SHOWN,
    ...more,
  };
  return { kind: 'open', view };
}

/** The error with which the run refuses an update. */
export function refusedAs(outcome: SignalOutcome, gates: { step: string; shownSha256: string }[] = []): ClientProblem {
  return new ClientProblem('signal.refused', `it is ${outcome}`, { details: { outcome, gates } });
}

/** `chats: false`: neither Discord nor Slack is set up. */
export async function bench(
  over: { ports?: Partial<CallbackPorts>; settings?: Partial<CallbackSettings>; chats?: false } = {},
): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-callbacks-'));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const [decided, noted, warnings]: [Sent[], Sent[], string[]] = [[], [], []];
  const started: ChatStart[] = [];
  const ports: CallbackPorts = {
    key: SERVICE_KEY,
    directory: PEOPLE,
    tokenOf: async (person) => PEOPLE.people[person]?.token,
    webhookSecretOf: async () => HOOK_SECRET,
    gateFor: async (key) => (key === KEY ? GATE : undefined),
    shown: async () => '',
    gateNow: async () => openGate(),
    decide: async (run, name, payload) => {
      decided.push({ run, name, payload });
      return { outcome: 'applied', step: GATE.step };
    },
    start: async (order) => {
      started.push(order);
      return `${order.pipeline}-1`;
    },
    hook: async () => undefined,
    secret: async (reference) => reference,
    startHooked: async () => ({ again: false }),
    note: async (run, name, payload) => void noted.push({ run, name, payload }),
    commands: () => ['thermidor approve run-1 approve --by "<you>"'],
    warn: (message) => void warnings.push(message),
    now: () => NOW,
    codec: { encode: async (payloads) => payloads, decode: async (payloads) => payloads },
    ...over.ports,
  };
  const chats = over.chats === false ? {} : { discord: raw, slack: SLACK_SECRET };
  const settings = { host: '127.0.0.1', port: 0, rate: 100, chats, ...over.settings };
  const listener = await listenForCallbacks(settings, ports, new RefusedAnswerFiles(folder, ports.warn), CALLBACK_WAYS);
  return {
    listener,
    ports,
    folder,
    decided,
    started,
    noted,
    warnings,
    privateKey,
    post: (path, body, headers = {}) => fetch(`${listener.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' }),
    get: (path) => fetch(`${listener.url}${path}`, { redirect: 'manual' }),
    refused: () =>
      readFileSync(join(folder, 'callbacks', 'refused.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async close() {
      await listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const seconds = (at: number): string => String(Math.floor(at / 1000));

/** Headers that Discord sends with a body. */
export function byDiscord({ privateKey }: Bench, body: string, at = NOW): Record<string, string> {
  const signature = sign(null, Buffer.from(`${seconds(at)}${body}`), privateKey).toString('hex');
  return { 'content-type': 'application/json', 'x-signature-ed25519': signature, 'x-signature-timestamp': seconds(at) };
}

let interactions = 0;

/** A press of a button, or a form that was sent. */
export function interaction(choice: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: String(++interactions),
    type: 3,
    application_id: '4711',
    token: 'interaction-token',
    member: { user: { id: '81' } },
    message: { content: 'Deploy?', flags: 0 },
    data: { custom_id: `thermidor:${choice}:${KEY}` },
    ...more,
  });
}

export function bySlack(body: string, at = NOW, secret = SLACK_SECRET): Record<string, string> {
  const signature = `v0=${createHmac('sha256', secret)
    .update(`v0:${seconds(at)}:${body}`)
    .digest('hex')}`;
  return { 'content-type': 'application/x-www-form-urlencoded', 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds(at) };
}

/** Headers of a task for a team. */
export function bySender(body: string, team: string, key: string, at = NOW, secret = HOOK_SECRET): Record<string, string> {
  const signature = `v1=${createHmac('sha256', secret)
    .update(`${seconds(at)}.${team}.${key}.${body}`)
    .digest('hex')}`;
  const proof = { 'thermidor-signature': signature, 'thermidor-timestamp': seconds(at) };
  return { 'content-type': 'application/json', 'idempotency-key': key, ...proof };
}

export function byReceiver(body: string, at = NOW, secret = HOOK_SECRET): Record<string, string> {
  const signature = `v1=${createHmac('sha256', secret)
    .update(`${seconds(at)}.${body}`)
    .digest('hex')}`;
  return { 'content-type': 'application/json', 'thermidor-signature': signature, 'thermidor-timestamp': seconds(at) };
}
