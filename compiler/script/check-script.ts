import { asksAgent, judges, runsChild } from '../../kinds/questions';
import { criticKey, type Script } from '../../plan/agents/script';
import type { Plan } from '../../plan/plan';
import { type Address, parseAddress, stepIdOf } from '../../plan/steps/address';
import { mayOpenGate } from '../../plan/steps/opens-gate';
import type { Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';
import type { DiagnosticCode } from '../diagnostics/codes';
import { type Diagnostic, diagnosticAt, sourceText, topOf } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { ScriptPlaces } from './read-script';

/**
 * Checks a script against a plan: replies for steps that do not exist or ask no agent, people at gates that can never open. `places` are
 * those of the files that the script was made of; without them a diagnostic names the script and no line.
 */
export function checkScript(script: Script, plan: Plan, places: readonly ScriptPlaces[] = []): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (code: DiagnosticCode, part: object, message: string, hint?: string): void => {
    const at = places.map((map) => map.get(part)).find((spot) => spot !== undefined);
    found.push(diagnosticAt(code, at ?? topOf(sourceText(script.name, '')), message, hint));
  };
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const asked = [...steps.values()].flatMap(repliesOf);
  // A child pipeline gets the same script, and its steps are not known here.
  const hasChildren = [...steps.values()].some(runsChild);
  for (const [id, replies] of Object.entries(script.replies)) {
    if (asked.includes(id)) continue;
    const called = readCalledKey(id);
    if (hasChildren && !steps.has(called?.step ?? id.replace(/\.critic$/, ''))) continue;
    if (called) {
      const problem = problemOfCalled(called, steps, plan);
      if (problem) report('script.unknown-step', replies, `the script replies for "${id}", but ${problem.text}`, problem.hint);
      continue;
    }
    const step = steps.get(id);
    const problem = step ? `step "${id}" of ${plan.name} asks no agent` : `${plan.name} has no step "${id}"`;
    report(
      'script.unknown-step',
      replies,
      `the script replies for "${id}", but ${problem}`,
      didYouMean(id, asked, `steps that ask an agent: ${asked.join(', ')}`),
    );
  }
  const gates = [...steps.values()].filter((step) => mayOpenGate(step, plan)).map((step) => step.id);
  for (const person of script.people) {
    const address = parseAddress(person.gate);
    const id = address ? stepIdOf(address) : person.gate;
    const step = steps.get(id);
    if ((step && mayOpenGate(step, plan)) || leadsIntoChild(address, steps)) continue;
    const problem = step ? `step "${id}" opens no gate` : `${plan.name} has no step "${id}"`;
    report(
      'script.unknown-gate',
      person,
      `somebody is to answer at "${person.gate}", but ${problem}`,
      didYouMean(id, gates, `steps that can open a gate: ${gates.join(', ')}`),
    );
  }
  return found;
}

function leadsIntoChild(address: Address | undefined, steps: ReadonlyMap<string, Step>): boolean {
  return (address?.path ?? []).some(({ id }) => {
    const step = steps.get(id);
    return step !== undefined && runsChild(step);
  });
}

/** The key of a reply: `draft@chief` is an agent that the step is escalated to; `draft>helper` one that the step's agent calls. */
interface CalledKey {
  step: string;
  how: '@' | '>';
  agent: string;
}

function readCalledKey(key: string): CalledKey | undefined {
  const match = /^([^@>]+)([@>])([^@>]+)$/.exec(key);
  const [, step, how, agent] = match ?? [];
  return step !== undefined && agent !== undefined && (how === '@' || how === '>') ? { step, how, agent } : undefined;
}

function problemOfCalled(
  { step: id, how, agent }: CalledKey,
  steps: ReadonlyMap<string, Step>,
  { name, agents = {} }: Plan,
): { text: string; hint?: string | undefined } | undefined {
  const step = steps.get(id);
  if (!step) return { text: `${name} has no step "${id}"`, hint: didYouMean(id, steps.keys()) };
  if (how === '>' && !asksAgent(step)) return { text: `step "${id}" of ${name} asks no agent who could call another` };
  if (Object.hasOwn(agents, agent)) return undefined;
  const known = Object.keys(agents);
  return { text: `${name} has no agent "${agent}"`, hint: didYouMean(agent, known, `its agents: ${known.join(', ') || 'none'}`) };
}

/** The keys of the replies that a step may ask for. */
function repliesOf(step: Step): string[] {
  if (!asksAgent(step)) return [];
  return judges(step) && step.critic !== undefined ? [step.id, criticKey(step.id)] : [step.id];
}
