import { goesInRounds, goesOverItems } from '../../../kinds/questions';
import { traitsOf } from '../../../kinds/traits';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ControlPlan, ControlStep } from '../../../plan/steps/control';
import { INDEX_VAR, ITEM_VAR } from '../../../plan/steps/item-names';
import { type ItemPosition, type LoopPosition, MOST_UPSTREAM, type StepInput } from '../../../plan/steps/step-activity';
import { everyStep } from '../../../plan/steps/walk';
import { joined } from '../../../plan/text/joined';
import type { Json } from '../../../plan/text/json';
import type { LoopRecord, RoundsRecord } from '../containers/container-record';
import type { Run } from '../run';
import { runEnd } from '../run-end';
import type { Frame, Place } from '../scheduling/place';
import { agentStateOf, loopStateOf, roundsOf } from '../state/kind-state';
import { pathById, recordById, recordField } from './expression-scope';

/** The input of a step's activity: references to what it reads, and data of this round and try. */
export function stepInput(run: Run, place: Place): StepInput {
  const record = run.record(place.path);
  const { brief = {} } = record;
  const context = agentStateOf(record)?.context;
  return {
    ...readable(run, place, place.step.inputs),
    ...defined({
      findings: brief.findings,
      previous: brief.previous,
      judgedBefore: brief.judgedBefore,
      note: record.tries?.note,
      with: brief.replaced?.inputs,
      messages: brief.messages,
      context,
      member: brief.member,
      handOff: brief.handOff,
      approvals: record.attempt?.approvals,
    }),
  };
}

/** The input for an agent of the step: it may also read by reference what is further upstream, and decisions made there bind it. */
export function agentInput(run: Run, place: Place): StepInput {
  return { ...stepInput(run, place), ...upstream(run, place), ...constraintsOn(run, place) };
}

/** Current outputs of upstream steps, apart from the step's own inputs: the nearest first. */
function upstream(run: Run, { step, frame }: Place): Pick<StepInput, 'upstream' | 'moreUpstream'> {
  const found: Record<string, ArtifactRef> = {};
  let left = MOST_UPSTREAM;
  for (const { id } of run.upstream(step.id)) {
    if (step.inputs?.includes(id)) continue;
    const { state, output } = run.state.records[pathById(run, frame, id) ?? ''] ?? {};
    if (state !== 'done' || !output?.artifact) continue;
    if (left === 0) return { upstream: found, moreUpstream: true };
    found[id] = output.artifact;
    left -= 1;
  }
  return left === MOST_UPSTREAM ? {} : { upstream: found };
}

/** What a step's templates render: outputs by reference, record fields by value. Steps without an output are left out. */
export function readable(
  run: Run,
  { step, frame, path }: Place,
  outputs: readonly string[] | undefined,
): Pick<StepInput, 'run' | 'inputs' | 'records' | 'loops' | 'end'> {
  const own = Object.fromEntries(artifactsOf(run, frame, outputs).map(({ step: id, artifact }) => [id, artifact]));
  const inputs = unlessEmpty({ ...own, ...run.state.records[path]?.brief?.given });
  const records: Record<string, Record<string, Json>> = {};
  for (const { step: id, field } of step.records ?? []) {
    const value = recordField(recordById(run, frame, id), field, id);
    if (value !== undefined) records[id] = joined(records[id] ?? {}, { [field]: value });
  }
  const loops = loopsAround(run, frame, step.lastInputs);
  const end = runEnd(run.state.closing);
  return {
    run: run.ctx.info.firstRunId,
    ...defined({ inputs, records: unlessEmpty(records), loops: unlessEmpty(loops), end }),
  };
}

/** The loops that contain a frame, from the outside in. */
function loopsAround(run: Run, from: Frame, lastInputs: readonly string[] | undefined): LoopPosition[] {
  const loops: LoopPosition[] = [];
  for (let frame: Frame | undefined = from; frame; frame = frame.container?.frame) {
    const { container, iteration: index } = frame;
    if (!container || index === undefined) continue;
    const { step } = container;
    const record = run.state.records[container.path];
    const source = itemSource(loopStateOf(record), index);
    if (goesOverItems(step) && source)
      loops.unshift({ ...source, index, itemVar: step.itemVar ?? ITEM_VAR, indexVar: step.indexVar ?? INDEX_VAR });
    if (goesInRounds(step)) {
      const last = lastOutputs(roundsOf(record), frame, lastInputs ?? []);
      loops.unshift({ index, roundVar: step.roundVar, lastVar: step.lastVar, ...defined({ last }) });
    }
  }
  return loops;
}

function itemSource(loop: LoopRecord | undefined, index: number): Pick<ItemPosition, 'list'> | Pick<ItemPosition, 'item'> | undefined {
  if (loop?.list) return { list: loop.list };
  const emitted = loop?.stream?.items[index];
  return emitted && { item: emitted.item };
}

/** Outputs of a block's steps in the previous round; undefined in the first. */
function lastOutputs(rounds: RoundsRecord | undefined, { block }: Frame, ids: readonly string[]): Record<string, ArtifactRef> | undefined {
  if (!rounds || rounds.over === 0) return undefined;
  const own = ids.filter((id) => block.steps.some((step) => step.id === id));
  return Object.fromEntries(
    own.flatMap((id) => {
      const artifact = rounds.outputs[id];
      return artifact ? [[id, artifact] as const] : [];
    }),
  );
}

/** Steps' outputs, by their names in the frame. */
export function artifactsOf(
  run: Run,
  frame: Frame | undefined,
  steps: readonly string[] | undefined,
): { step: string; artifact: ArtifactRef }[] {
  const found: { step: string; artifact: ArtifactRef }[] = [];
  for (const id of steps ?? []) {
    const artifact = run.state.records[pathById(run, frame, id) ?? '']?.output?.artifact;
    if (artifact) found.push({ step: id, artifact });
  }
  return found;
}

/** Decisions of upstream steps that bind an agent: the activity reads the conditions. Plans without such steps pay nothing for it. */
function constraintsOn(run: Run, { step, frame }: Place): Pick<StepInput, 'constraints'> {
  const binding = bindingSteps(run.plan);
  if (binding.size === 0) return {};
  const constraints: Record<string, ArtifactRef> = {};
  for (const { id } of run.upstream(step.id)) {
    const record = binding.has(id) ? run.state.records[pathById(run, frame, id) ?? ''] : undefined;
    if (record?.state === 'done' && record.output?.artifact) constraints[id] = record.output.artifact;
  }
  return Object.keys(constraints).length > 0 ? { constraints } : {};
}

const known = new WeakMap<ControlPlan, ReadonlySet<string>>();

function bindingSteps(plan: ControlPlan): ReadonlySet<string> {
  const found = known.get(plan) ?? new Set(bindingIn(plan));
  known.set(plan, found);
  return found;
}

function bindingIn({ block, finally: last }: ControlPlan): string[] {
  const steps = everyStep<ControlStep>([...block.steps, ...(last?.steps ?? [])]);
  return [...steps].flatMap(({ id, kind }) => (traitsOf(kind).binds ? [id] : []));
}
