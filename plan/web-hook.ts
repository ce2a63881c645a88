import type { Expr, Template } from './expressions/expression';
import { CHAT_NAMES, CHATS, type Chat } from './people/chats';

/** Who signs a delivery, and how (`client/hooks/signature.ts`): services, and chats that share a secret with us. */
export type HookSignature = 'github' | 'gitlab' | 'standard' | Chat;

/** Those whose signature covers the time at which it was made. */
export const TIMED_SIGNATURES: readonly HookSignature[] = [
  'standard',
  ...CHAT_NAMES.filter((chat) => CHATS[chat].proof.hexDigits === undefined),
];
export const SIGNATURES: readonly HookSignature[] = ['github', 'gitlab', ...TIMED_SIGNATURES];

/** What expressions of a web hook read: the JSON of a delivery, and its headers by their names in lower case. */
export const HOOK_VARIABLES = ['body', 'headers'] as const;
export type HookVariable = (typeof HOOK_VARIABLES)[number];

/** Deliveries of somebody else's service start runs. */
export interface WebhookTrigger {
  kind: 'webhook';
  /** Tells it from others of its pipeline. */
  name?: string;
  /** Behind `/hooks/` in the address of the listener. */
  path: string;
  signature: HookSignature;
  /** A reference `secret://…`, which the listener resolves. */
  secret: string;
  /** Deliveries for which it does not hold start nothing. */
  when?: Expr;
  /** The args of the run, by name. A template that is one expression keeps its type. */
  args?: Record<string, Template>;
  /** Two deliveries with the same text are one. Absent: what the signature has in its place. */
  key?: Template;
  /** Deliveries a minute that one listener takes. */
  rate: number;
  /** How far from now the time of a signature may be. Absent: the signature covers none. */
  withinMs?: number;
  paused?: true;
}

export const HOOK_RATE = { min: 1, max: 6_000, usual: 60 } as const;
export const HOOK_WITHIN_MS = { min: 1_000, max: 86_400_000, usual: 300_000 } as const;
