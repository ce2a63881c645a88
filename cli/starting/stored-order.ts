import type { ControlRef } from '../../plan/run/artifact';
import { recordsOf } from '../settings/records';
import type { RunOrder } from './order';

/** Plan, blobs and script are in the store before there is a run that needs them. Fails with `store.unavailable`. */
export async function storedOrder({
  configuration,
  compiled,
  script,
}: Pick<RunOrder, 'configuration' | 'compiled' | 'script'>): Promise<{ plan: ControlRef<'plan'>; script?: ControlRef<'script'> }> {
  const [store, control] = [recordsOf(configuration).artifacts, recordsOf(configuration).control];
  const blobs = [...compiled.blobs.values()].map(({ content, mediaType, name }) => store.put(content, { mediaType, name }));
  const [plan] = await Promise.all([control.put('plan', compiled.planText, `${compiled.plan.name}.plan.json`), ...blobs]);
  if (script === undefined) return { plan };
  return { plan, script: await control.put('script', script.text, `${script.script.name}.script.json`) };
}
