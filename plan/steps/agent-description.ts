import { defined } from '../defined';
import { isTemplate } from '../expressions/expression';
import { isJsonObject, type Json } from '../text/json';
import type { Action } from './action';
import { describeActions } from './action';
import type { Fact, ShownRunBy, Words } from './description';
import { adapterFacts, fact, jsonFact, outputData } from './description-parts';
import type { AgentWorkSpec } from './step-base';

/** How an agent's step, a task or a review, is shown. */
export interface ShownAgentWork extends ShownRunBy {
  agent: string;
  title?: string;
  /** It uses the owner's one context of the run instead of a fresh one. */
  ownContext?: true;
  prompt?: string;
  /** The author's values for the agent, under names of their own. */
  given?: Record<string, Json>;
  /** Fewer than the agent has. */
  tools?: readonly string[];
  cwd?: string;
  output?: string;
  schema?: Json;
  /** How often it is asked again for missing fields. Absent: once. */
  repair?: number;
  onInvalid?: Action[];
}

export function agentData(step: AgentWorkSpec, words: Words): ShownAgentWork {
  const { title, prompt } = words.request(step.id);
  const given = step.input === undefined ? undefined : givenData(words.blob(step.input), words);
  return {
    agent: step.agent,
    ...defined({ title }),
    ...words.runBy(step.agent),
    ...defined({
      ownContext: step.action === 'self' || undefined,
      prompt,
      given,
      tools: step.tools,
      cwd: step.cwd && words.text(step.cwd),
    }),
    ...outputData(step, words),
    ...defined({ repair: step.repair, onInvalid: step.onInvalid }),
  };
}

/** Templates by name, of an agent's `input` or a child's `with`. */
export function givenData(value: Json | undefined, words: Words): Record<string, Json> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.flatMap(([name, one]) => (isTemplate(one) ? [[name, words.value(one)]] : [])));
}

export function givenFacts(kind: string, given: Readonly<Record<string, Json>> | undefined): Fact[] {
  return Object.entries(given ?? {}).flatMap(([name, value]) =>
    fact(`${kind} ${name}`, typeof value === 'string' ? value : JSON.stringify(value)),
  );
}

export function askedAgent(data: ShownAgentWork): string {
  return `${data.agent}${adapterFacts(data)}`;
}

export function sharesOwnerContext(data: ShownAgentWork): string {
  return data.ownContext ? ', in its own context' : '';
}

export function agentFacts({ tools, cwd, repair, onInvalid, given, schema, prompt }: ShownAgentWork): Fact[] {
  return [
    ...fact('tools', tools && (tools.join(', ') || 'none')),
    ...fact('cwd', cwd),
    ...fact('repair', repair === undefined ? undefined : repairText(repair)),
    ...fact('on invalid', onInvalid && describeActions(onInvalid)),
    ...givenFacts('input', given),
    ...jsonFact('schema', schema),
    ...fact('prompt', prompt),
  ];
}

function repairText(times: number): string {
  if (times === 0) return 'never asked again for what is missing';
  return `asked again for what is missing, at most ${times === 1 ? 'once' : `${times} times`}`;
}
