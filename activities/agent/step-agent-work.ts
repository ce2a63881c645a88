import { asksAgent, judges } from '../../kinds/questions';
import { criticKey } from '../../plan/agents/script';
import { stepDepth } from '../../plan/agents/spawn-depth';
import { DEFAULT_REPAIRS } from '../../plan/budgets/request-limits';
import { defined } from '../../plan/defined';
import { reviewFindings } from '../../plan/patterns/review-findings';
import { bug } from '../../plan/run/failure';
import { findingsDelta } from '../../plan/steps/findings';
import type { AgentStep, ReviewStep, Step } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { spelledUntrustedJson } from '../../plan/text/untrusted-json';
import { renderApproval } from '../gates/approval-request';
import type { LoadedRun } from '../run/loaded-run';
import { stepValues } from '../stored/step-values';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { agentTask } from './agent-task';
import type { AgentWork, GoodReply } from './agent-work';

/** The work of the step's own agent, or its critic. */
export function stepAgentWork(toolbox: Toolbox, run: LoadedRun, given: Step, input: StepInput): AgentWork {
  const step = asAsked(given, input);
  return {
    agent: step.agent,
    asker: run.plan.owner ?? run.plan.name,
    stepId: step.id,
    scriptKey: input.critic ? criticKey(step.id) : step.id,
    repairs: step.repair ?? DEFAULT_REPAIRS,
    depth: stepDepth(run.plan, step, input.critic === true),
    ...defined({ tools: step.tools, wanted: input.handOff && `a hand-off of the kind "${input.handOff.kind}"` }),
    ...(input.critic ? {} : contextOf(step, input)),
    load: () => agentTask(toolbox, run, step, input),
    outputName: (json) => step.output?.name ?? `${step.id}.${json ? 'json' : 'md'}`,
    async finish(reply, raw) {
      // A number alone is in nothing that could remember how it was written.
      const value = typeof reply.value === 'object' || !reply.json ? reply.value : spelledUntrustedJson(reply.text);
      const values = stepValues(step, value ?? reply.value);
      const output: Partial<StepOutput> = { ...defined({ values }), ...(await verdictWithin(toolbox, reply, input)) };
      if (!step.approval) return output;
      return { ...output, approval: await renderApproval(toolbox, run, step, input, { value: reply.value, text: raw }) };
    },
  };
}

/** A member of a board has a context of its own; the owner has one in the run. */
function contextOf({ action }: AgentStep | ReviewStep, { member, context = [] }: StepInput): Pick<AgentWork, 'member' | 'context'> {
  if (member) return { member, context: member.context };
  return action === 'self' ? { context } : {};
}

/** The step as its agent sees it: a critic judges like the reviewer, under its own name. */
function asAsked(step: Step, { critic }: StepInput): AgentStep | ReviewStep {
  if (judges(step) && critic && step.critic !== undefined) {
    return { ...step, agent: step.critic, output: { ...step.output, name: `critic.${step.output?.name ?? 'json'}` } };
  }
  if (asksAgent(step)) return step;
  throw bug(`step "${step.id}" is not an agent's`);
}

/** A verdict, its findings, and what became of those of the reviewer's last report. */
async function verdictWithin(
  { artifacts }: Toolbox,
  { verdict, value }: GoodReply,
  { previous }: StepInput,
): Promise<Pick<StepOutput, 'verdict' | 'findings'>> {
  if (!verdict) return {};
  const found = reviewFindings(value);
  const findings = Object.keys(found).length > 0 ? { findings: found } : {};
  if (!previous) return { verdict, ...findings };
  const before = await storedValue(artifacts, previous);
  return { verdict: { ...verdict, delta: findingsDelta(before.value, value) }, ...findings };
}
