import { goesOverItems, isInput, joinsBranches, runsChild } from '../../kinds/questions';
import type { ArtifactRef } from '../../plan/artifact';
import type { ComposeInput, Composition } from '../../plan/container-work';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { Step } from '../../plan/step';
import type { StepOutput } from '../../plan/step-work';
import { unreachable } from '../../plan/unreachable';
import { type ActivityCall, requireAddress } from '../call';
import { type LoadedRun, loadRun, stepAt } from '../run/loaded-run';
import { outputValue } from '../run/scope';
import { layOut } from '../stored/lay-out';
import { stepValues } from '../stored/step-values';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { composeLobsterChild } from './child-output';
import { type Composed, composeBranches, composeFields, composeIterations, composeParts } from './compose-lists';

/**
 * Makes the output of a step that did not produce one itself, with the values that expressions read of it. Outputs go from
 * store to store as text, one at a time: a large one is never in memory as values unless an expression reads the whole of it.
 *
 * It has no effect to repeat: the same results give the same output. Fails with `output.too-large`, `values.too-large`,
 * `artifact.missing`, `store.unavailable`.
 */
export async function compose(toolbox: Toolbox, call: ActivityCall, { from }: ComposeInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  if (runsChild(step) && run.plan.dialect === 'lobster' && (from.kind === 'artifact' || from.kind === 'value'))
    return await composeLobsterChild(toolbox, step, from);
  if (from.kind === 'artifact') return await taken(toolbox, run, step, from.artifact);
  const { content, value } = await composed(toolbox, run, step, from);
  const part = from.kind === 'iterations' ? `.${from.from}` : '';
  const name = `${step.id}${part}.json`;
  const artifact = await toolbox.artifacts.put(content, { mediaType: 'application/json', name });
  if (from.kind === 'iterations') return { artifact };
  await layOut(toolbox, call.key.workflowId, address, artifact);
  const values = stepValues(step, value);
  return { artifact, ...(values ? { values } : {}) };
}

async function composed(toolbox: Toolbox, run: LoadedRun, step: Step, from: Exclude<Composition, { kind: 'artifact' }>): Promise<Composed> {
  switch (from.kind) {
    case 'branches':
      if (!joinsBranches(step)) throw misfit(step, from);
      return await composeBranches(toolbox, run, step, from);
    case 'iterations':
      if (!goesOverItems(step)) throw misfit(step, from);
      return await composeIterations(toolbox, run, step, from);
    case 'fields':
      return await composeFields(toolbox, step, from);
    case 'parts':
      return await composeParts(toolbox, step, from.parts);
    case 'value':
      return ofValue(from.value);
    case 'defaults':
      if (!isInput(step)) throw misfit(step, from);
      return ofValue(step.defaults ?? null);
    default:
      return unreachable(from);
  }
}

function ofValue(value: Json): Composed {
  return { content: JSON.stringify(value), value };
}

/** The artifact itself, with what is read of it. */
async function taken({ artifacts }: Toolbox, run: LoadedRun, step: Step, artifact: ArtifactRef): Promise<StepOutput> {
  if (!step.reads?.length && !step.readsStdout) return { artifact };
  const { text, value, json } = await storedValue(artifacts, artifact);
  const stdout = artifact.stdout === undefined ? text : (await artifacts.get({ sha256: artifact.stdout })).toString('utf8');
  const values = stepValues(step, outputValue(run, json, value), stdout);
  return { artifact, ...(values ? { values } : {}) };
}

function misfit(step: Step, { kind }: Composition): ThermidorFailure {
  return new ThermidorFailure('internal', `the output of step "${step.id}" is not made of ${kind}`);
}
