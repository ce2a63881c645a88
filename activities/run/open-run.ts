import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import type { ControlRef } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { jsonLines } from '../../plan/run/json-lines';
import { type PackedPart, UNPACKED_LIMIT_BYTES } from '../../plan/run/packed-part';
import { type LoadPlanInput, type OpenedRun, type OpenRunInput, RUN_VERSION } from '../../plan/run/run-activities';
import type { RunInput } from '../../plan/run/run-input';
import { controlPlan } from '../../plan/steps/control';
import { jsonText } from '../../plan/text/json-text';
import type { RunKey } from '../../records/ledger';
import { asPlan, RUN_RECORD, type RunRecord, readRunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { LoadedPipeline } from '../ports';
import { packedPart } from '../stored/pack';
import type { Toolbox, WorkerToolbox } from '../toolbox';
import { type TakenOrder, takeOrder } from './child-order';
import { checkCarried, checkReferences } from './input-references';
import { loadRun, readRun } from './load-run';
import type { LoadedRun } from './loaded-run';
import { checkPlanSize, checkPlans } from './plan-check';
import { invalidInput, readRunInput } from './run-input';
import { scheduledFor } from './scheduled-for';
import { inheritedStarter, starterOf } from './starter';

/**
 * Opens a run: finds its frozen plan or compiles the pipeline, checks args, agents and child pipelines, and records the result. A child
 * pipeline takes all of this from its parent's ledger.
 *
 * Invariants: 1. nothing is recorded unless all checks pass; 2. once recorded, every later call gives the same plan, args and script,
 * whatever happened to the files since; 3. nothing that outsiders have brought into the store is run: a reference of the input counts only
 * as the kind that Thermidor stored it as, and a plan's name is the workflow's type; 4. a parent that the input names counts only if its
 * own ledger says that it started this run. Fails with `input.invalid`, `pipeline.*`, `plan.*`, `args.invalid`, `script.*`,
 * `adapter.unavailable`, `merge.strategy`, `start.unproven`, `secret.missing`, `store.unavailable`.
 */
export async function openRun(toolbox: WorkerToolbox, key: RunKey, input: OpenRunInput): Promise<OpenedRun> {
  const before = await toolbox.ledger.get(key, RUN_RECORD);
  if (before !== undefined) return opened(toolbox, await readRun(toolbox, key, readRunRecord(before)));
  const asked = readRunInput(input.input);
  const name = input.workflowType;
  if ((asked.pipeline ?? name) !== name) throw otherPipeline(`"pipeline" is "${asked.pipeline}"`, name);
  await checkReferences(toolbox, asked);
  const order = asked.parent && (await takeOrder(toolbox, { key, workflowType: name }, asked.parent));
  const startedBy = order ? await inheritedStarter(toolbox, key, order) : await starterOf(toolbox, key, asked, input);
  const wanted: Omit<RunInput, 'startedBy'> & Pick<TakenOrder, 'budget'> = order ?? asked;
  const { plan, ref } = wanted.plan ? await frozen(toolbox, wanted.plan) : await freeze(toolbox, name);
  if (plan.name !== name) throw otherPipeline(`"plan" is one of pipeline "${plan.name}"`, name);
  await checkCarried(toolbox, wanted, ref.sha256, startedBy);
  const scheduled = order ? order.scheduled : scheduledFor(plan, input, asked.scheduled);
  const scheduledAt = order ? order.scheduledAt : scheduled?.at;
  const { args, problems } = checkArgs(plan, wanted.args ?? {});
  if (problems.length > 0) {
    const list = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
    throw new ThermidorFailure('args.invalid', `args of pipeline "${plan.name}": ${list}`, asJson({ problems }));
  }
  const script = await findScript(toolbox, plan.name, wanted.script);
  const record: RunRecord = {
    plan: ref,
    args,
    version: RUN_VERSION,
    startedAt: input.startedAt ?? new Date().toISOString(),
    ...defined({
      scheduledAt,
      scheduled,
      script,
      startedBy,
      parent: wanted.parent,
      startedFrom: order?.startedFrom && order.startedFrom,
      budget: wanted.budget,
      carried: wanted.carried,
      postMortem: wanted.postMortem,
      traceparent: wanted.traceparent,
    }),
  };
  await checkPlans(toolbox, await readRun(toolbox, key, record));
  // A child's commands see the same as its parent's, secrets included.
  if (wanted.parent) await toolbox.environments.inherit(key.workflowId, wanted.parent.workflowId);
  const kept = await toolbox.ledger.putIfAbsent(key, RUN_RECORD, asJson(record));
  return opened(toolbox, await readRun(toolbox, key, readRunRecord(kept)));
}

/** Fails with `artifact.missing` if the run was never opened here. */
export async function loadPlan(toolbox: Toolbox, key: RunKey, { from }: LoadPlanInput): Promise<PackedPart> {
  const { plan } = await loadRun(toolbox, key);
  return packedPart(Buffer.from(jsonLines(controlPlan(plan))).subarray(from));
}

function opened(toolbox: Toolbox, { plan, record }: LoadedRun): OpenedRun {
  const control = controlPlan(plan);
  return {
    version: record.version,
    ...(Buffer.byteLength(JSON.stringify(control)) <= UNPACKED_LIMIT_BYTES ? { plan: control } : {}),
    planRef: record.plan,
    args: record.args,
    ...defined({ script: record.script && { name: record.script.name } }),
    startedAt: record.startedAt,
    ...defined({
      scheduled: record.scheduled,
      startedBy: record.startedBy,
      carried: record.carried,
      postMortem: record.postMortem,
      parent: record.parent,
      startedFrom: record.startedFrom,
      budget: record.budget,
    }),
    searchAttributes: [...toolbox.searchAttributes],
  };
}

function otherPipeline(what: string, workflowType: string): ThermidorFailure {
  return invalidInput([`${what}, but the workflow's type is "${workflowType}": start it under the name of its pipeline`]);
}

interface FrozenPlan {
  plan: Plan;
  ref: ControlRef<'plan'>;
}

/** A plan that a client or a parent's run stored. */
async function frozen({ control }: Toolbox, ref: ControlRef<'plan'>): Promise<FrozenPlan> {
  const content = await control.get(ref);
  checkPlanSize(ref.name ?? ref.sha256, content.byteLength);
  return { plan: asPlan(content, ref.sha256), ref };
}

/** Compiles the pipeline and stores plan and blobs, child pipelines among them. */
async function freeze({ pipelines, artifacts, control }: WorkerToolbox, name: string): Promise<FrozenPlan> {
  const { plan, blobs }: LoadedPipeline = await pipelines.pipeline(name);
  const text = jsonText(plan);
  checkPlanSize(name, Buffer.byteLength(text));
  for (const [digest, { content, mediaType, name: blob }] of blobs) {
    const { sha256 } = await artifacts.put(content, { mediaType, name: blob });
    if (sha256 !== digest) throw bug(`"${blob}" of pipeline "${name}" has digest ${sha256}, not ${digest}`);
  }
  return { plan, ref: await control.put('plan', text, `${plan.name}.plan.json`) };
}

async function findScript(
  { pipelines, control }: WorkerToolbox,
  pipeline: string,
  wanted: RunInput['script'],
): Promise<RunRecord['script']> {
  if (wanted === undefined) return undefined;
  if (typeof wanted === 'string') {
    const { text } = await pipelines.script(pipeline, wanted);
    return { name: wanted, ref: await control.put('script', text, `${wanted}.script.json`) };
  }
  const name = wanted.name?.replace(/(?:\.script)?\.(?:json|ya?ml)$/, '') ?? 'script';
  return { name, ref: wanted };
}
