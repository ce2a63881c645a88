import { ThermidorFailure } from '../../plan/run/failure';
import type { JsonObject } from '../../plan/text/json';
import { planFrom } from './compiled';
import { type PlayedStep, type PlayOptions, playStep, type Says } from './played';

/** Escalations in memory: a test chooses the answers of each level. */

const AGENTS = 'agents: {e: {role: E.}, s: {role: S.}, c: {role: C.}}\n';

/** `up`: the answer does not help. `solved`: it says that the issue is solved. */
export type Answer = 'up' | 'solved' | JsonObject;
export type Played = PlayedStep;

export interface EscalationOptions extends PlayOptions {
  /** The text of the pipeline, without its agents. */
  text?: string;
  /** The answers by part. */
  says?: Record<string, Says<Answer>>;
}

export const LEVELS = 'levels: [e, s, c, {human: "#desk", timeout: 24h}]';
export const IN_ORDER = `steps:
  - {id: rescue, type: escalate, issue: The build is red., ${LEVELS}}
  - {id: after, run: 'true'}
`;

export function play({ text = IN_ORDER, says = {}, ...options }: EscalationOptions = {}): Played {
  const played = playStep<Answer>(
    planFrom(AGENTS + text),
    {
      id: 'rescue',
      parts: ['e', 's', 'c', 'apply', 'workaround', 'check'],
      says: (part) => says[part] ?? (part === 'check' ? 'solved' : 'up'),
      answer({ part, put }, said) {
        const document = { solved: said === 'solved', diagnosis: `${part} sees`, ...(typeof said === 'object' ? said : {}) };
        return put(document, { solved: document.solved });
      },
    },
    { matter: 'The build is red.', ...options },
  );
  return { ...played, feedback: () => played.feedback('escalate') };
}

export const broken = new ThermidorFailure('agent.timeout', 'it did not answer');
