import type { EscalationTarget } from '../../plan/action';
import { type AgentEntry, IR_VERSION, type Plan } from '../../plan/plan';
import type { Step } from '../../plan/step';
import type { Located, Report } from '../diagnostics/diagnostic';
import { type Blobs, sha256 } from '../freeze/blobs';
import type { Agents, LoadedAgent } from '../names/agents';
import type { Schemas } from '../names/schemas';
import { orderOf } from '../order';
import type { PipelineSource, StepSource } from '../shape/source';
import { type Context, expressionOf, schemasByStep, targetOf } from './context';
import { collectReads } from './references';
import { lowerStep } from './step';

export interface Surroundings {
  sourceText: string;
  agents: Agents;
  schemas: Schemas;
  blobs: Blobs;
  report: Report;
}

/** A pipeline as written → its plan. What it answers is only a plan where no error was reported. */
export function lowerPipeline(pipeline: PipelineSource, around: Surroundings): Plan {
  const { report, blobs, agents } = around;
  const steps = stepsById(pipeline, report);
  const schemas = schemasByStep(pipeline.steps, around.schemas);
  const order = orderOf(pipeline.steps, report);
  const context: Context = { pipeline, order, agents, blobs, report, steps, schemaOf: (step) => schemas.get(step), namedAgents: new Set() };

  const owner = pipeline.owner;
  if (owner && agents.named(owner, 'agent.unknown', `the owner "${owner.value}" is not defined`)) context.namedAgents.add(owner.value);
  const escalation = pipeline.escalation?.map(({ value }) => targetOf(value, context));
  const lowered = pipeline.steps.flatMap((step) => lowerStep(step, context) ?? []);
  const output = expressionOf(pipeline.output, undefined, context);
  const reads = collectReads();
  for (const step of lowered) if (step.when) reads.note(step.when);
  if (output) reads.note(output);
  const people = agents.withSuperiors(context.namedAgents);

  const plan: Plan = {
    irVersion: IR_VERSION,
    name: pipeline.name?.value ?? '',
    source: sha256(around.sourceText),
    trigger: pipeline.trigger,
    escalation: chainOf(escalation, owner, people),
    block: { order: order.kind, steps: lowered.map((step) => withReads(step, reads.of(step.id))) },
  };
  if (pipeline.description !== undefined) plan.description = pipeline.description;
  if (owner) plan.owner = owner.value;
  if (pipeline.args.size > 0) plan.args = Object.fromEntries([...pipeline.args].map(([name, { spec }]) => [name, spec]));
  if (people.size > 0) plan.agents = Object.fromEntries([...people].map(([id, agent]) => [id, entryOf(agent, blobs)]));
  if (pipeline.concurrent !== undefined) plan.concurrent = pipeline.concurrent;
  if (pipeline.channels.size > 0) plan.channels = Object.fromEntries(pipeline.channels);
  if (output) plan.output = output;
  return plan;
}

/** Steps by id, the first of each; steps without an id have been reported. */
function stepsById({ steps, args }: PipelineSource, report: Report): Map<string, StepSource> {
  const found = new Map<string, StepSource>();
  for (const step of steps) {
    if (step.id === '') continue;
    if (found.has(step.id))
      report('step.duplicate-id', step.at, `another step has the id "${step.id}" already`, 'give each step an id of its own');
    else found.set(step.id, step);
    if (args.has(step.id)) report('names.clash', step.at, `an arg is called "${step.id}" too`, 'rename one of the two');
  }
  return found;
}

function withReads(step: Step, { reads, stdout }: { reads: Step['reads'] & object; stdout: boolean }): Step {
  if (reads.length > 0) step.reads = reads;
  if (stdout) step.readsStdout = true;
  return step;
}

/** As the file says, or up the `reports_to` of the owner. The last is always a human. */
function chainOf(
  written: EscalationTarget[] | undefined,
  owner: Located<string> | undefined,
  people: ReadonlyMap<string, LoadedAgent>,
): EscalationTarget[] {
  const chain = written ?? superiorsOf(owner?.value, people);
  return chain[chain.length - 1]?.kind === 'human' ? chain : [...chain, { kind: 'human' }];
}

function superiorsOf(owner: string | undefined, people: ReadonlyMap<string, LoadedAgent>): EscalationTarget[] {
  const chain: EscalationTarget[] = [];
  const seen = new Set<string>();
  let above = owner === undefined ? undefined : people.get(owner)?.reportsTo?.value;
  while (above !== undefined && !seen.has(above) && people.has(above)) {
    seen.add(above);
    chain.push({ kind: 'agent', id: above });
    above = people.get(above)?.reportsTo?.value;
  }
  return chain;
}

function entryOf(agent: LoadedAgent, blobs: Blobs): AgentEntry {
  const { definition } = agent;
  const entry: AgentEntry = { definition: blobs.add(definition ?? null, `${agent.id}.agent.json`) };
  if (definition?.adapter !== undefined) entry.adapter = definition.adapter;
  if (definition?.reportsTo !== undefined) entry.reportsTo = definition.reportsTo;
  if (definition?.timeoutMs !== undefined) entry.timeoutMs = definition.timeoutMs;
  return entry;
}
