import { type ApplyRuleInput, type ApplyRuleOutput, applyRule as decide } from '../../plan/patterns/rule';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';

/**
 * Has a rule decide over documents in the store. It has no effect to repeat: the same documents give the same result.
 *
 * Fails with `artifact.missing`, `output.too-large`, `values.too-large`, `store.unavailable`.
 */
export async function applyRule(
  toolbox: Toolbox,
  call: ActivityCall,
  { as, call: asked, documents }: ApplyRuleInput,
): Promise<ApplyRuleOutput> {
  const { artifacts } = toolbox;
  const step = stepAt(await loadRun(toolbox, call.key), requireAddress(call));
  const found = await Promise.all(
    Object.entries(documents ?? {}).map(async ([name, ref]) => [name, (await storedValue(artifacts, ref)).value] as const),
  );
  const { result, values } = decide(asked, Object.fromEntries(found));
  const sizeBytes = Buffer.byteLength(JSON.stringify(values));
  if (sizeBytes > CONTROL_VALUES_LIMIT_BYTES)
    throw new ThermidorFailure(
      'values.too-large',
      `what "${asked.rule}" decides in step "${step.id}" has ${sizeBytes} bytes; at most ${CONTROL_VALUES_LIMIT_BYTES} may control a run`,
      { step: step.id, rule: asked.rule, sizeBytes, limitBytes: CONTROL_VALUES_LIMIT_BYTES },
    );
  const artifact = await artifacts.put(JSON.stringify(result), { mediaType: 'application/json', name: `${step.id}.${as}.json` });
  return { artifact, values };
}
