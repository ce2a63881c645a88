import { checkArgs } from '../plan/args';
import { type ArtifactRef, PLAN_LIMIT_BYTES } from '../plan/artifact';
import type { OpenedRun, OpenRunInput, RunInput } from '../plan/contract';
import { controlPlan } from '../plan/control';
import { ThermidorFailure } from '../plan/failure';
import type { Plan } from '../plan/plan';
import { adapterFor } from './agent-adapter';
import type { LoadedPipeline, RunKey } from './ports';
import { readRunInput } from './run-input';
import { type LoadedRun, RUN_RECORD, type RunRecord, readPlan, readRun, readRunRecord } from './run-record';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * Opens a run: finds its frozen plan or compiles the pipeline, checks args and agents, and records what it found.
 *
 * Invariants: 1. nothing is recorded unless all checks pass; 2. once recorded, every later call gives the same plan, args and
 * script, whatever happened to the files since. Fails with `input.invalid`, `pipeline.*`, `plan.*`, `args.invalid`,
 * `script.*`, `adapter.unavailable`, `store.unavailable`.
 */
export async function openRun(toolbox: Toolbox, key: RunKey, input: OpenRunInput): Promise<OpenedRun> {
  const before = await toolbox.ledger.get(key, RUN_RECORD);
  if (before !== undefined) return opened(toolbox, await readRun(toolbox, key, readRunRecord(before)));
  const wanted = readRunInput(input.input);
  const name = wanted.pipeline ?? input.workflowType;
  const { plan, ref } = wanted.plan ? { plan: await readPlan(toolbox, wanted.plan), ref: wanted.plan } : await freeze(toolbox, name);
  const { args, problems } = checkArgs(plan.args, wanted.args ?? {});
  if (problems.length > 0) {
    const list = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
    throw new ThermidorFailure('args.invalid', `args of pipeline "${plan.name}": ${list}`, asJson({ problems }));
  }
  const script = await findScript(toolbox, plan.name, wanted.script);
  const record: RunRecord = { plan: ref, args, startedAt: input.startedAt ?? new Date().toISOString(), ...(script ? { script } : {}) };
  checkAdapters(toolbox, await readRun(toolbox, key, record));
  const kept = await toolbox.ledger.putIfAbsent(key, RUN_RECORD, asJson(record));
  return opened(toolbox, await readRun(toolbox, key, readRunRecord(kept)));
}

function opened(toolbox: Toolbox, { plan, record }: LoadedRun): OpenedRun {
  return {
    plan: controlPlan(plan),
    planRef: record.plan,
    args: record.args,
    ...(record.script ? { script: { name: record.script.name } } : {}),
    searchAttributes: [...toolbox.searchAttributes],
  };
}

/** Compiles the pipeline and stores plan and blobs. */
async function freeze({ pipelines, artifacts }: Toolbox, name: string): Promise<{ plan: Plan; ref: ArtifactRef }> {
  const { plan, blobs }: LoadedPipeline = await pipelines.pipeline(name);
  const text = JSON.stringify(plan);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > PLAN_LIMIT_BYTES) {
    throw new ThermidorFailure('plan.too-large', `the plan of "${name}" has ${sizeBytes} bytes; at most ${PLAN_LIMIT_BYTES} are taken`);
  }
  for (const [digest, { content, mediaType, name: blob }] of blobs) {
    const { sha256 } = await artifacts.put(content, { mediaType, name: blob });
    if (sha256 !== digest) throw new ThermidorFailure('internal', `"${blob}" of pipeline "${name}" has digest ${sha256}, not ${digest}`);
  }
  return { plan, ref: await artifacts.put(text, { mediaType: 'application/json', name: `${plan.name}.plan.json` }) };
}

async function findScript({ pipelines, artifacts }: Toolbox, pipeline: string, wanted: RunInput['script']): Promise<RunRecord['script']> {
  if (wanted === undefined) return undefined;
  if (typeof wanted === 'string') {
    const { text } = await pipelines.script(pipeline, wanted);
    return { name: wanted, ref: await artifacts.put(text, { mediaType: 'application/json', name: `${wanted}.script.json` }) };
  }
  const name = wanted.name?.replace(/(?:\.script)?\.(?:json|ya?ml)$/, '') ?? 'script';
  return { name, ref: wanted };
}

/** Every agent that a step is given to must be runnable before anything runs. */
function checkAdapters(toolbox: Toolbox, run: LoadedRun): void {
  for (const step of run.plan.block.steps) {
    if (step.kind === 'agent' || step.kind === 'review') adapterFor(toolbox, run, step.agent);
  }
}
