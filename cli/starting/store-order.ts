import type { StartRun } from '../../client/start-run';
import type { ArtifactRef } from '../../plan/artifact';
import { openStore } from '../store';
import type { Terminal } from '../terminal';
import { userOf } from '../user';
import type { RunOrder } from './order';
import { runId } from './run-id';

/**
 * What the server is asked to start. Plan, blobs and script are in the store by then, before there is a run that needs them. Fails with
 * `store.unavailable`.
 */
export async function storeOrder(order: RunOrder, terminal: Terminal): Promise<StartRun> {
  const { configuration, compiled, args, id } = order;
  const { plan } = compiled;
  const workflowId = runId(id, plan.name);
  const startedBy = userOf(terminal, configuration.user.value);
  return {
    workflowId,
    pipeline: plan.name,
    args,
    ...(plan.description === undefined ? {} : { description: plan.description }),
    ...(startedBy === undefined ? {} : { startedBy }),
    ...(await storeAll(order)),
  };
}

async function storeAll({ configuration, compiled, script }: RunOrder): Promise<{ plan: ArtifactRef; script?: ArtifactRef }> {
  const store = openStore(configuration.stateDir.value);
  const blobs = [...compiled.blobs.values()].map(({ content, mediaType, name }) => store.put(content, { mediaType, name }));
  const [plan] = await Promise.all([
    store.put(compiled.planText, { mediaType: 'application/json', name: `${compiled.plan.name}.plan.json` }),
    ...blobs,
  ]);
  if (script === undefined) return { plan };
  const name = `${script.script.name}.script.json`;
  return { plan, script: await store.put(script.text, { mediaType: 'application/json', name }) };
}
