import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { planFrom } from './compiled';
import { type PlayedStep, type PlayOptions, playStep, red, type Says } from './played';

/** Swarms in memory: a test chooses the findings of each agent, whether a fix is applied, and whether the check passes. */

const AGENTS = 'agents: {p: {role: P.}, e: {role: E.}, t: {role: T.}}\n';

/** A number is a diagnosis with this confidence. */
export type Answer = number | 'applied' | 'passes' | JsonObject;

export interface SwarmOptions extends PlayOptions {
  /** The text of the pipeline, without its agents. */
  text?: string;
  /** The answers by part. */
  says?: Record<string, Says<Answer>>;
  /** The paths that exist. */
  files?: string[];
}

export const AGENT_KEYS = 'agents: {p: architecture, e: implementation, t: environment}, verify: npm test';
export const IN_ORDER = `steps:
  - {id: mob, type: swarm, issue: The build is red., ${AGENT_KEYS}}
  - {id: after, run: 'true'}
`;

export const MINUTE = 60_000;
const PARTS = ['p', 'e', 't', 'fix_p', 'fix_e', 'fix_t', 'verify', 'rollback', 'files'];

export interface Played extends PlayedStep {
  reasons(): string[];
}

export function play({ text = IN_ORDER, says = {}, files = [], ...options }: SwarmOptions = {}): Played {
  const defaults: Record<string, Says<Answer>> = {
    p: 0.3,
    e: 0.6,
    t: 0.5,
    fix_p: 'applied',
    fix_e: 'applied',
    fix_t: 'applied',
    verify: [red, 'passes'],
  };
  const played = playStep<Answer>(
    planFrom(AGENTS + text),
    {
      id: 'mob',
      parts: PARTS,
      composed: '(compose|overruled-output)',
      says: (part) => says[part] ?? defaults[part] ?? 'passes',
      answer({ seen, part, put }, said) {
        if (part === 'files') return put(`${files.join('\n')}\n`);
        const document = documentOf(part, said, seen.call.options.address ?? '');
        const values = isJsonObject(document) ? document : {};
        return put(document, part.startsWith('fix_') ? { applied: values['applied'] ?? null } : values);
      },
    },
    { matter: 'The build is red.', ...options },
  );
  return {
    ...played,
    // The search for files is nobody's turn.
    started: () => played.started().filter((address) => !/ files\b/.test(address)),
    reasons: () =>
      played.world
        .journal()
        .flatMap((entry) => (entry.kind === 'step' && entry.reason !== undefined ? [`${entry.step}: ${entry.reason}`] : [])),
  };
}

function documentOf(part: string, answer: Answer, address: string): Json {
  if (typeof answer === 'number')
    return { root_cause: `${part} sees`, confidence: answer, fix_suggestion: `do what ${part} says at ${address}` };
  return answer === 'applied' ? { applied: true, summary: `${part} has changed it` } : answer;
}

export const broken = new ThermidorFailure('agent.turns-used-up', 'it did not answer');
