import { defined } from '../../../plan/defined';
import {
  ADVICE_SCHEMA,
  type Advice,
  adviceInBrief,
  isSure,
  optionOf,
  readAdvice,
  UNVERIFIED,
  URGENCY_MS,
} from '../../../plan/patterns/advice';
import { brief } from '../../../plan/patterns/brief';
import type { Feedback } from '../../../plan/patterns/feedback';
import type { JournalEvent } from '../../../plan/run/journal';
import { shortAddress } from '../../../plan/steps/address';
import type { Json } from '../../../plan/text/json';
import { parseUntrustedJson } from '../../../plan/text/untrusted-json';
import type { AgentSession, AttemptScope } from '../../agent/agent-session';
import { answer, type ConsultRequest, type ToolAnswer } from '../tool';
import { askOtherAgent, type TalkTurn } from './ask-agent';

const ADVISE =
  'You are asked for advice. Others do the work and decide whether to follow it. If there are `options`, recommend one of them, word for word.';

export interface Consultation extends Pick<TalkTurn, 'agent' | 'turn' | 'asked'> {
  request: ConsultRequest;
  /** How often the topic may still be asked about. */
  left: number;
}

/**
 * Asks a specialist in a conversation, for an agent that keeps its work (docs/patterns.md, CP-8). Request and advice are feedback signals
 * in the journal. A late or missing answer is no failure of the caller: it should use its own judgement, and say so.
 */
export async function consultAgent(
  scope: AttemptScope,
  from: AgentSession,
  { request, left, ...talk }: Consultation,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { topic, urgency, options = [] } = request;
  const schema = await scope.toolbox.artifacts.put(JSON.stringify(ADVICE_SCHEMA), {
    mediaType: 'application/schema+json',
    name: 'Advice.schema.json',
  });
  const asking: TalkTurn = {
    ...talk,
    message: { task: ADVISE, ...defined({ ...request }) },
    schema: schema.sha256,
    signals: signalsOf(scope, from, talk.agent, request),
    ...defined({ timeoutMs: URGENCY_MS[urgency] }),
  };
  const { text, effect } = await askOtherAgent(scope, from, asking, signal);
  const advice = effect?.failed ? undefined : readAdvice(parseUntrustedJson(text));
  return { ...answer(toldTo(advice, text, options, left)), effect: { ...effect, consulted: topic } };
}

/** The caller's text of it. */
function toldTo(advice: Advice | undefined, text: string, options: readonly string[], left: number): Json {
  if (!advice) return { status: 'unverified', reason: text, marked: UNVERIFIED, hint: OWN_JUDGEMENT };
  const given = { ...advice, ...defined({ option: optionOf(advice, options) }) };
  if (isSure(advice, options)) return { status: 'advised', ...given };
  const hint = left > 0 ? `They are not sure. Ask a follow-up that says more, or ${OWN_JUDGEMENT}` : OWN_JUDGEMENT;
  return { status: 'unverified', ...given, marked: UNVERIFIED, hint };
}

const OWN_JUDGEMENT = `use your own judgement, and mark everything in your answer that rests on it as ${UNVERIFIED}`;

function signalsOf(scope: AttemptScope, { agent }: AgentSession, to: string, request: ConsultRequest): NonNullable<TalkTurn['signals']> {
  const step = shortAddress(scope.address);
  const entry = (feedback: Feedback): JournalEvent => ({ kind: 'pattern', step, ...feedback });
  const { topic, question, options, urgency } = request;
  return {
    asked: entry({
      ...{ type: 'consult_request', from: agent.id, to },
      data: { topic, question: brief(question), ...defined({ options }), urgency },
    }),
    answered(text, failure) {
      const advice = text === undefined ? undefined : readAdvice(parseUntrustedJson(scope.secrets.mask(text)));
      if (advice) return entry({ type: 'consult_response', from: to, to: agent.id, data: adviceInBrief(advice) });
      return entry({ type: 'consult_response', from: to, to: agent.id, refused: failure ?? 'gave no advice', data: {} });
    },
  };
}
