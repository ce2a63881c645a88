import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Step } from '../../plan/steps/step';
import { streamName } from '../../plan/steps/stream';
import { jsonText } from '../../plan/text/json-text';
import { type ActivityCall, requireAddress } from '../activity-call';
import type { ActivityPorts } from '../activity-ports';
import { readItemLog } from './item-log';
import type { OpenStream } from './stream-types';

/** The stream of the step that a call works for; undefined if it emits nothing. */
export function openStream(call: ActivityCall, step: Step): OpenStream | undefined {
  return step.emits && { key: call.key, name: streamName(requireAddress(call)), step: step.id, spec: step.emits };
}

/** Makes the run look for items. False: it could not be reached, and looks when the step ends, at the latest. */
export async function wakeForItems(toolbox: Pick<ActivityPorts, 'log'>, call: ActivityCall, { name }: OpenStream): Promise<boolean> {
  try {
    await call.wake?.({ workflowId: call.key.workflowId, step: name });
    return true;
  } catch (error) {
    toolbox.log('warn', 'the run could not be woken for an item', { call: call.id, error: String(error) });
    return false;
  }
}

/** Everything that was emitted, for reruns. */
export async function storeEmitted(
  toolbox: Pick<ActivityPorts, 'artifacts' | 'ledger'>,
  stream: Pick<OpenStream, 'key' | 'name' | 'step'>,
): Promise<ArtifactRef> {
  const { items } = await readItemLog(toolbox, stream.key, stream.name);
  const all = items.map(({ item, key, depends, files }) => ({ item, key, ...defined({ depends, files }) }));
  return await toolbox.artifacts.put(jsonText(all), { mediaType: 'application/json', name: `${stream.step}.emitted.json` });
}
