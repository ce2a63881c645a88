import { ThermidorFailure } from '../../plan/run/failure';
import type { JsonObject } from '../../plan/text/json';
import { planFrom } from './compiled';
import { later, type PlayedStep, type PlayOptions, playStep, type Says } from './played';

/** Consultations in memory: a test chooses each adviser's answer and confidence. */

const AGENTS = 'agents: {sec: {role: S.}, cli: {role: C.}, arch: {role: A.}}\n';
const ADVISERS = ['consultant', 'fallback', 'second_opinion'];

/** A number is the confidence of an adviser that recommends its own name. */
export type Answer = number | JsonObject;
export type Played = PlayedStep;

export interface ConsultOptions extends PlayOptions {
  text?: string;
  /** The answers by role. */
  says?: Partial<Record<string, Says<Answer>>>;
  /** The time that each adviser takes. */
  takesMs?: number;
}

export const ALL = 'consultants: {security: sec}, fallback: cli, second_opinion: arch';
export const consults = (more = ALL): string => `steps:
  - {id: advise, type: consult, topic: security, question: Which hash?, ${more}}
  - {id: after, run: 'true'}
`;

export function play({ text = consults(), says = {}, takesMs, ...options }: ConsultOptions = {}): Played {
  return playStep<Answer>(
    planFrom(AGENTS + text),
    {
      id: 'advise',
      parts: ADVISERS,
      says: (part) => says[part] ?? 0.9,
      answer({ seen, part, put }, said) {
        const more = typeof said === 'number' ? { confidence: said } : said;
        const document = { recommendation: part, rationale: 'because', confidence: 0.9, ...more };
        const end = put(document, { confidence: document.confidence });
        return takesMs === undefined ? end : later(seen, takesMs, () => end);
      },
    },
    { matter: { question: 'Which hash?' }, ...options },
  );
}

export const broken = new ThermidorFailure('agent.turns-used-up', 'it did not answer');
