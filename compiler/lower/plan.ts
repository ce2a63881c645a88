import { goesOverItems } from '../../kinds/questions';
import { cronTriggersOf, IR_VERSION, type Plan } from '../../plan/plan';
import type { Block, Step } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import type { CompileContext, LoweredPlan } from '../compile-context';
import { locationOf } from '../diagnostics/diagnostic';
import { shapeOfExpression } from '../expression/reference';
import { sha256 } from '../freeze/blobs';
import { entryOf, type MappingNode } from '../read/node';
import { onceWithin } from '../shape/defaults';
import { readPipeline } from '../shape/pipeline';
import type { PipelineShape } from '../shape/source';
import type { BlockPosition } from '../step-positions';
import { agentEntry } from './agents/agent-entry';
import { lastShape } from './block-shape';
import { budgetOf } from './budget';
import { markCalled } from './calls';
import { markChained } from './chain';
import { controlOf } from './context';
import { lowerContextOf } from './file-context';
import type { ControlReads } from './loop-variable';
import type { LowerContext } from './lower-context';
import { namesInScope } from './names';
import { checkOneAtATime } from './one-at-a-time';
import { lowerChain } from './people/escalation';
import { everyApproval } from './people/missing-approver';
import { anyApprover, lowerDelegates, lowerTarget } from './people/people';
import { requiredApprovals } from './people/policy';
import { lowerRunContext } from './run-context';
import { startablePipelines } from './startable';
import { lowerStep } from './step';
import { lowerTriggers } from './triggers';

/** Lowers the tree of a file in the strict dialect to its plan. The result is a valid plan only if no error was reported. */
export function lowerStrict(file: string, root: MappingNode, around: CompileContext): LoweredPlan {
  const report = onceWithin(entryOf(root, 'defaults'), around.report);
  const pipeline = readPipeline(root, report);
  const context = lowerContextOf(file, pipeline, { ...around, report });
  const { agents, blobs, places, reads } = context;

  const { owner } = pipeline;
  if (owner && agents.named(owner, 'agent.unknown', `the owner "${owner.value}" is not defined`)) context.namedAgents.add(owner.value);
  const escalation = pipeline.escalation?.map(({ value, at }) => ({ value: lowerTarget(value, context), at }));
  const written = pipeline.requiresApproval && requiredApprovals(pipeline.requiresApproval, context);
  const block = lowerBlock(places.main, context);
  const last = places.finally && lowerBlock(places.finally, context);
  markCalled(last ? [block, last] : [block], context);
  checkOneAtATime(context);
  const output = controlOf(pipeline.output, undefined, context);
  // Agents that a file lists may be called by any of its others.
  const people = agents.withSuperiors([...context.namedAgents, ...agents.listed, ...(around.everyAgent ? agents.inFiles() : [])]);

  const approvals = everyApproval(written, people.values(), context);

  const plan: Plan = {
    irVersion: IR_VERSION,
    name: pipeline.name?.value ?? '',
    source: sha256(around.sourceText),
    trigger: { kind: 'manual' },
    escalation: lowerChain(escalation, owner?.value, people, anyApprover(undefined, context), report),
    block,
  };
  addHead(plan, pipeline);
  Object.assign(plan, lowerRunContext(pipeline, owner && agents.find(owner), around.installation, report));
  Object.assign(plan, lowerTriggers(pipeline, plan, { ...around, report }));
  if (cronTriggersOf(plan).length === 0 && around.installation.timezone) plan.timezone = around.installation.timezone;
  if (people.size > 0)
    plan.agents = Object.fromEntries(
      [...people].map(([id, agent]) => [id, agentEntry(agent, blobs, startablePipelines(agent, file, around))]),
    );
  if (last) plan.finally = last;
  if (output) plan.output = output;
  if (approvals) plan.requiresApproval = approvals;
  const delegates = lowerDelegates(context);
  if (delegates) plan.delegates = delegates;
  for (const step of everyStep([...block.steps, ...(last?.steps ?? [])])) addReads(step, reads);
  const shape = output ? shapeOfExpression(output, namesInScope(context)) : lastShape(places.main, context.shapeOf);
  const agentPlaces = new Map([...people].map(([id, { at }]) => [id, locationOf(at)]));
  return { plan, output: shape, agentPlaces };
}

function addHead(plan: Plan, { description, owner, limits, budget, channels, memory }: PipelineShape): void {
  if (description !== undefined) plan.description = description.value.trim();
  if (owner) plan.owner = owner.value;
  if (limits.concurrent !== undefined) plan.concurrent = limits.concurrent;
  if (limits.depth !== undefined) plan.depth = limits.depth;
  if (limits.children !== undefined) plan.children = limits.children;
  if (budget) plan.budget = budgetOf(budget);
  if (memory) plan.memory = { ...memory, file: memory.file.value };
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

/** Lowers a block and all within it. Branches have no order: only their steps are needed. */
function lowerBlock(block: BlockPosition, context: LowerContext): Block {
  const inner = (held: BlockPosition): Block => lowerBlock(held, context);
  const steps = block.places.flatMap((place) => lowerStep(place, context, inner) ?? []);
  if (block.order.kind === 'graph') return { order: 'graph', steps };
  if (block.order.kind === 'sequence') markChained(steps, (id) => context.places.byId.get(id)?.isAwaited === true);
  return { order: 'sequence', steps };
}
