import { goesOverItems } from '../../kinds/questions';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { Step } from '../../plan/step';
import { everyStep } from '../../plan/walk';
import type { Lowered, Surroundings } from '../child';
import { placeOf } from '../diagnostics/diagnostic';
import { shapeOf } from '../expression/reference';
import { sha256 } from '../freeze/blobs';
import { entryOf, type MappingNode } from '../read/node';
import { onceWithin } from '../shape/defaults';
import { readPipeline } from '../shape/pipeline';
import type { PipelineSource } from '../shape/source';
import { agentEntry } from './agent-entry';
import { lowerBlock } from './block';
import { lastShape } from './block-shape';
import { controlOf } from './context';
import { chainOf } from './escalation';
import { contextOf } from './file-context';
import { namesFor } from './names';
import { everyApproval } from './no-approver';
import { delegatesOf, somebody, targetOf } from './people';
import { requiredApprovals } from './policy';
import type { ControlReads } from './references';
import { runContext } from './run-context';
import { startablePipelines } from './startable';
import { withTimezone } from './timezone';

/** The tree of a file in the strict dialect → its plan. What it answers is only a plan where no error was reported. */
export function lowerStrict(file: string, root: MappingNode, around: Surroundings): Lowered {
  const report = onceWithin(entryOf(root, 'defaults'), around.report);
  const pipeline = readPipeline(root, report);
  const context = contextOf(file, pipeline, { ...around, report });
  const { agents, blobs, places, reads } = context;

  const { owner } = pipeline;
  if (owner && agents.named(owner, 'agent.unknown', `the owner "${owner.value}" is not defined`)) context.namedAgents.add(owner.value);
  const escalation = pipeline.escalation?.map(({ value, at }) => ({ value: targetOf(value, context), at }));
  const written = pipeline.requiresApproval && requiredApprovals(pipeline.requiresApproval, context);
  const block = lowerBlock(places.main, context);
  const last = places.finally && lowerBlock(places.finally, context);
  const output = controlOf(pipeline.output, undefined, context);
  // Agents that a file lists may be spawned by any of its others.
  const people = agents.withSuperiors([...context.namedAgents, ...agents.listed, ...(around.everyAgent ? agents.inFiles() : [])]);

  const approvals = everyApproval(written, people.values(), context);

  const plan: Plan = {
    irVersion: IR_VERSION,
    name: pipeline.name?.value ?? '',
    source: sha256(around.sourceText),
    trigger: withTimezone(pipeline, around, report),
    escalation: chainOf(escalation, owner?.value, people, somebody(undefined, context), report),
    block,
  };
  addHead(plan, pipeline);
  Object.assign(plan, runContext(pipeline, owner && agents.find(owner), around.installation, report));
  if (plan.trigger.kind === 'manual' && around.installation.timezone) plan.timezone = around.installation.timezone;
  if (people.size > 0)
    plan.agents = Object.fromEntries(
      [...people].map(([id, agent]) => [id, agentEntry(agent, blobs, startablePipelines(agent, file, around))]),
    );
  if (last) plan.finally = last;
  if (output) plan.output = output;
  if (approvals) plan.requiresApproval = approvals;
  const delegates = delegatesOf(context);
  if (delegates) plan.delegates = delegates;
  for (const step of everyStep([...block.steps, ...(last?.steps ?? [])])) addReads(step, reads);
  const shape = output ? shapeOf(output, namesFor(context)) : lastShape(places.main, context.shapeOf);
  const agentPlaces = new Map([...people].map(([id, { at }]) => [id, placeOf(at)]));
  return { plan, output: shape, agentPlaces };
}

function addHead(plan: Plan, { description, owner, limits, budget, channels }: PipelineSource): void {
  if (description !== undefined) plan.description = description;
  if (owner) plan.owner = owner.value;
  if (limits.concurrent !== undefined) plan.concurrent = limits.concurrent;
  if (limits.depth !== undefined) plan.depth = limits.depth;
  if (limits.children !== undefined) plan.children = limits.children;
  if (budget) plan.budget = budget.value;
  if (channels.size > 0) plan.channels = Object.fromEntries(channels);
}

function addReads(step: Step, reads: ControlReads): void {
  const { reads: paths, stdout } = reads.of(step.id);
  if (paths.length > 0) step.reads = paths;
  if (stdout) step.readsStdout = true;
  if (!goesOverItems(step)) return;
  const items = reads.ofItems(step.id);
  if (items.length > 0) step.itemReads = items;
}
