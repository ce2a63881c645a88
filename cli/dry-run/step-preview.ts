import { ShellQuoting } from '../../activities/commands/shell-quoting';
import { DESCRIPTIONS, type ShownWork } from '../../kinds/descriptions';
import { asksAgent } from '../../kinds/questions';
import type { AdapterWish } from '../../plan/agents/adapter-choice';
import { defined } from '../../plan/defined';
import { asText } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { writeExpr } from '../../plan/expressions/write-expression';
import type { Plan } from '../../plan/plan';
import type { Words } from '../../plan/steps/description';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { shellWord } from '../../plan/text/shell-word';
import type { DryRunBy } from './dry-run-model';
import { type KnownValues, knownValue, placeholder, renderKnown, renderReadable, renderValue } from './known-values';
import { agentOf, dryPrompt, type ReadBlob } from './prompt';

/** What previews of the steps of one plan read. */
export interface PreviewContext {
  plan: Plan;
  blob: ReadBlob;
  steps: ReadonlyMap<string, Step>;
  world: KnownValues;
  /** The adapter and model for an agent's definition: the script's if there is one. */
  runByOf: (agent: AdapterWish) => DryRunBy;
}

/** What a step would do, with every known value in it. */
export function previewStep(step: Step, reading: PreviewContext): ShownWork {
  return DESCRIPTIONS[step.kind].data(step, previewWords(reading));
}

/** Shows values that are known before a run, and `⟨what is meant⟩` for the rest. */
export function previewWords({ plan, blob, steps, world, runByOf }: PreviewContext): Words {
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
      return { ...defined({ title: agent.title }), prompt: text };
    },
    runBy: (agent) => runByOf(agentOf(agent, plan, blob)),
  };
}

/**
 * A shell command as it would run, for people. A run passes values as variables (activities/commands/shell-template.ts); here they are
 * inserted, quoted so that the text means the same. `raw`: the Lobster dialect, which inserts them unquoted.
 */
function shellText(template: Template, world: KnownValues, raw: boolean): string {
  const quoting = new ShellQuoting();
  let text = '';
  for (const piece of template) {
    if (typeof piece === 'string') {
      quoting.text(piece);
      text += piece;
      continue;
    }
    const context = quoting.context();
    quoting.value();
    text += renderKnown([piece], world, (known) => {
      const value = asText(known);
      if (raw) return value;
      if (context === 'bare') return shellWord(value);
      if (context === 'single') return value.replaceAll("'", `'\\''`);
      return context === 'double' ? value.replace(/[\\"$`]/g, '\\$&') : value;
    });
  }
  return text;
}
