import { DESCRIPTIONS, type ShownWork } from '../../kinds/descriptions';
import { asksAgent } from '../../kinds/questions';
import type { Words } from '../../plan/description';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import type { WantedAdapter } from '../../plan/run-by';
import type { Step } from '../../plan/step';
import { writeExpr } from '../../plan/write-expression';
import { knownValue, placeholder, renderKnown, renderReadable, renderValue, type World } from './known';
import type { DryRunBy } from './model';
import { agentOf, dryPrompt, type ReadBlob } from './prompt';
import { shellText } from './shell-text';

/** What the steps of one plan are read with. */
export interface Reading {
  plan: Plan;
  blob: ReadBlob;
  steps: ReadonlyMap<string, Step>;
  world: World;
  /** Of an agent's definition: the script's where there is one. */
  runByOf: (agent: WantedAdapter) => DryRunBy;
}

/** What a step would do, with everything that is known in it. */
export function dryWork(step: Step, reading: Reading): ShownWork {
  return DESCRIPTIONS[step.kind].data(step, knownWords(reading));
}

/** Shows values that are known before a run, and `⟨what is meant⟩` for the rest. */
export function knownWords({ plan, blob, steps, world, runByOf }: Reading): Words {
  const listOf = (value: Json | undefined): Json[] | undefined => (Array.isArray(value) ? value : undefined);
  return {
    text: (template) => renderKnown(template, world),
    readable: (template) => renderReadable(template, world),
    shell: (template, raw) => shellText(template, world, raw),
    value: (template) => renderValue(template, world),
    expression: (expr) => (knownValue(expr, world) === undefined ? placeholder(expr, world) : writeExpr(expr)),
    count: (expr) => listOf(knownValue(expr, world)?.value)?.length,
    blob,
    request(id) {
      const step = steps.get(id);
      if (!step || !asksAgent(step)) return {};
      const { agent, text } = dryPrompt(step, plan, steps, blob, world);
      return { ...(agent.title === undefined ? {} : { title: agent.title }), prompt: text };
    },
    runBy: (agent) => runByOf(agentOf(agent, plan, blob)),
  };
}
