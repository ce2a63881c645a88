import type { DescribeWorkflowExecutionResponse } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { parseAddress, shortAddress } from '../plan/address';
import type { ActivityName } from '../plan/contract';
import { isJsonObject } from '../plan/json';
import type { RunView, StepView } from '../plan/status';
import type { ThermidorClient } from './connect';

/**
 * Which commands of a run are at work. Commands of a sequence run in one activity, and the run itself learns of their results
 * only when it ends; its heartbeat says how far it is.
 */
const CHAIN: ActivityName = 'commands';

/** Short addresses of the commands under way, of every chain that runs. One request, and none where no command runs. */
export async function readUnderWay(client: ThermidorClient, view: RunView): Promise<string[]> {
  if (!view.steps.some(isAtWork)) return [];
  const { raw } = await client.call(() => client.temporal.workflow.getHandle(view.run).describe());
  const beats = await Promise.all(heartbeatsOf(raw).map((payloads) => decode(client, payloads)));
  return beats.flatMap((beat) => {
    const step = isJsonObject(beat) ? beat['step'] : undefined;
    return typeof step === 'string' ? [readable(step)] : [];
  });
}

function heartbeatsOf({ pendingActivities }: DescribeWorkflowExecutionResponse): Payload[][] {
  return (pendingActivities ?? []).flatMap(({ activityType, heartbeatDetails }) =>
    activityType?.name === CHAIN && heartbeatDetails?.payloads ? [heartbeatDetails.payloads] : [],
  );
}

/** The first of the details, by the client's own converter. */
async function decode(client: ThermidorClient, payloads: Payload[]): Promise<unknown> {
  const { payloadConverter, payloadCodecs } = client.temporal.options.loadedDataConverter;
  let plain = payloads;
  for (const codec of payloadCodecs) plain = await codec.decode(plain);
  return plain[0] === undefined ? undefined : payloadConverter.fromPayload(plain[0]);
}

/**
 * The view with what is under way put in its place: commands of the chain before it are done, those behind it have not begun.
 * Pure; the same view where nothing is known.
 */
export function withUnderWay(view: RunView, addresses: readonly string[]): RunView {
  if (addresses.length === 0) return view;
  const states = new Map<string, StepView['state']>();
  for (const address of addresses) {
    const at = view.steps.findIndex((step) => readable(step.address) === address);
    const found = view.steps[at];
    if (found === undefined || found.kind !== 'command') continue;
    states.set(found.address, 'running');
    for (const step of chained(view.steps.slice(0, at).reverse(), found)) states.set(step.address, 'done');
    for (const step of chained(view.steps.slice(at + 1), found)) states.set(step.address, 'pending');
  }
  return { ...view, steps: view.steps.map((step) => withState(step, states.get(step.address))) };
}

/** When a command began and ended within its chain is not known yet: a time that is not its own is left out. */
function withState(step: StepView, state: StepView['state'] | undefined): StepView {
  if (state === undefined || state === step.state) return step;
  const { startedAt: _ofTheChain, ...rest } = step;
  return { ...rest, state };
}

/** The commands next to one another in its block, as far as the run does not know how they ended. */
function chained(steps: readonly StepView[], of: StepView): StepView[] {
  const block = blockOf(of);
  const end = steps.findIndex(
    (step) => step.kind !== 'command' || !(isAtWork(step) || step.state === 'pending') || blockOf(step) !== block,
  );
  return steps.slice(0, end === -1 ? undefined : end);
}

function isAtWork(step: StepView): boolean {
  return step.kind === 'command' && step.state === 'running';
}

function blockOf({ address }: StepView): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

function readable(address: string): string {
  const parsed = parseAddress(address);
  return parsed ? shortAddress(parsed) : address;
}
