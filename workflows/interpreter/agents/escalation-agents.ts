import { judges } from '../../../kinds/questions';
import { ownDepth } from '../../../plan/agents/spawn-depth';
import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import { advises, type EscalationTarget } from '../../../plan/steps/action';
import type { Advice, EarlierAdvice, EscalationAnswer, EscalationRound } from '../../../plan/steps/escalation';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { ownerOf, sendEnvelope } from '../messages/envelopes';
import type { Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { stepActivityOptions } from '../steps/activity-options';
import { AGENT_IN_CHAIN_MS } from '../steps/activity-timeouts';
import { roundsAt } from '../steps/earlier-rounds';
import { pathById } from '../steps/expression-scope';
import { addStepUsage } from '../steps/record-output';
import { agentInput } from '../steps/step-input';

/** How often agents of the chain may send one step's work back. */
const REVISIONS_BY_AGENTS = 3;
const ANSWER_WITHIN_MS = 15 * 60_000;

export type AgentTarget = Extract<EscalationTarget, { kind: 'agent' }>;
/** What the next in the chain sees of an earlier one. */
export type AdviceGiven = Omit<EarlierAdvice, 'agent'>;

/** Asks an agent of the chain. Returns its decision, or its advice, or why it gave neither. */
export async function askEscalationAgent(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  target: AgentTarget,
  { reason, before }: { reason: string; before: EarlierAdvice[] },
): Promise<Decision | AdviceGiven> {
  const { run } = it;
  const { id: agent } = target;
  const timeoutMs = run.plan.agents?.[agent]?.timeoutMs ?? ANSWER_WITHIN_MS;
  const asked = await ctx.attempt(() =>
    ctx.agent(`agent-${agent}`, {
      address: `${run.address(place.path)}/escalation-${agent}`,
      options: {
        ...stepActivityOptions(run, place, timeoutMs),
        scheduleToCloseMs: Math.max(AGENT_IN_CHAIN_MS, 2 * timeoutMs),
        summary: agent,
      },
      input: () => ({
        ...agentInput(run, place),
        escalation: {
          agent,
          reason,
          history: historyOf(it, place),
          before,
          ...defined({ advises: advises(target) || undefined }),
        },
      }),
      agent,
      depth: ownDepth(run.plan, agent),
    }),
  );
  // Its answer is taken once: its words, and its usage.
  return ctx.once(`said-${agent}`, () => {
    if ('failure' in asked) {
      const { code, message } = asked.failure;
      return { said: `${advises(target) ? 'gave no advice' : 'failed'}: ${code}: ${message}` };
    }
    const { usage, escalated } = asked.value;
    addStepUsage(it, place, usage);
    if (!escalated) return { said: 'answered with no decision' };
    return advises(target) ? adviceOf(it, place, agent, escalated) : decisionOf(it, place, run.record(place.path), agent, escalated);
  });
}

/** Its advice, as the deciding person reads it. */
function adviceOf({ run }: Interpreter, { path }: Place, agent: string, { decision: word, rationale }: EscalationAnswer): AdviceGiven {
  const payload = { advice: word, rationale };
  sendEnvelope(run, path, { from: agent, to: ownerOf(run), intent: 'deliver_report', payload, expect_response: false });
  if (word === 'pass_on') return { said: `gives no advice: ${rationale}` };
  return { said: `advises ${ADVICE[word]}: ${rationale}`, advice: word };
}

const ADVICE: Readonly<Record<Advice, string>> = {
  pass: 'to let it pass',
  revise: 'another revision',
  abort: 'to end the run',
};

function decisionOf(
  { run }: Interpreter,
  { path }: Place,
  record: StepRecord,
  agent: string,
  { decision: word, rationale }: EscalationAnswer,
): Decision | AdviceGiven {
  const payload = { decision: word, rationale };
  sendEnvelope(run, path, { from: agent, to: ownerOf(run), intent: 'deliver_report', payload, expect_response: false });
  if (word === 'pass_on') return { said: `passed it on: ${rationale}` };
  if (word === 'revise') {
    const counter = `${path}:escalated`;
    const used = run.state.revisions[counter] ?? 0;
    if (used >= REVISIONS_BY_AGENTS)
      return { said: `asked for a revision, after ${used} that agents of the chain had asked for: ${rationale}` };
    run.state.revisions[counter] = used + 1;
  }
  const decision: Decision = {
    choice: CHOICES[word],
    by: agent,
    comment: rationale,
    at: new Date(run.ctx.now()).toISOString(),
    via: 'agent',
    identity: 'claimed',
    shownSha256: record.output?.artifact?.sha256 ?? '',
  };
  record.asked = { ...record.asked, decision };
  run.journal.add({ kind: 'decision', step: run.name(path), decision });
  return decision;
}

/** Decisions in the words of an escalation's gate. */
const CHOICES = { pass: 'approve', revise: 'revise', abort: 'reject' } as const;

/** Every round of the step, and of the step it judges, oldest first. */
function historyOf({ run }: Interpreter, { step, path, frame }: Place): EscalationRound[] {
  const judged = judges(step) ? pathById(run, frame, step.of) : undefined;
  return roundsAt(run, judged === undefined ? [path] : [judged, path]);
}
