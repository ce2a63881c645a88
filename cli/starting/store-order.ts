import type { StartRun } from '../../client/start-run';
import { defined } from '../../plan/defined';
import type { ControlRef } from '../../plan/run/artifact';
import { recordsOf } from '../settings/records';
import type { RunOrder } from './order';
import { runId } from './run-id';

/**
 * The order to the server. Plan, blobs and script are in the store before there is a run that needs them. Fails with `store.unavailable`.
 */
export async function storeOrder(order: RunOrder): Promise<StartRun> {
  const { starter, compiled, args, id, postMortem } = order;
  const { plan } = compiled;
  const workflowId = runId(id, plan.name);
  return {
    workflowId,
    pipeline: plan.name,
    args,
    ...defined({ description: plan.description }),
    ...starter,
    ...defined({ postMortem }),
    ...(await storeAll(order)),
  };
}

async function storeAll({
  configuration,
  compiled,
  script,
}: RunOrder): Promise<{ plan: ControlRef<'plan'>; script?: ControlRef<'script'> }> {
  const [store, control] = [recordsOf(configuration).artifacts, recordsOf(configuration).control];
  const blobs = [...compiled.blobs.values()].map(({ content, mediaType, name }) => store.put(content, { mediaType, name }));
  const [plan] = await Promise.all([control.put('plan', compiled.planText, `${compiled.plan.name}.plan.json`), ...blobs]);
  if (script === undefined) return { plan };
  return { plan, script: await control.put('script', script.text, `${script.script.name}.script.json`) };
}
