import { z } from 'zod';
import { COMMENT_RULES } from '../plan/people/decision-policy';
import { GATE_KINDS } from '../plan/people/gate';
import type { GateLink } from '../plan/people/notice';
import { isTimezone } from '../plan/text/timezone';
import { parseUntrustedJson } from '../plan/text/untrusted-json';

export function isGateKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** What answers rely on of a gate. */
const LINK = z.object({
  ...{ run: z.string(), channel: z.string(), step: z.string(), question: z.string(), shownSha256: z.string() },
  kind: z.enum(GATE_KINDS),
  choices: z.array(z.string()),
  ...{ approvers: z.array(z.string()).optional(), approvedBy: z.array(z.string()).optional(), notBy: z.array(z.string()).optional() },
  comment: z.enum(COMMENT_RULES).optional(),
  identity: z.literal('proven').optional(),
  ...{ note: z.string().optional(), deadline: z.string().optional(), answer: z.string().optional() },
  zone: z.string().refine(isTimezone).optional(),
});

/** A text that holds no gate counts as missing: its answers are refused. */
export function gateLinkIn(text: string): GateLink | undefined {
  const read: unknown = parseUntrustedJson(text);
  return LINK.safeParse(read).success ? (read as GateLink) : undefined;
}
