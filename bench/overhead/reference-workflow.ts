import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';

/**
 * What somebody would write by hand for the same work, and no more: no state, no journal, no queries, no signals. Its
 * activities have the options that the interpreter gives a command.
 */
interface ReferenceActivities {
  command(input: object): Promise<object>;
}

const { command } = proxyActivities<ReferenceActivities>({
  startToCloseTimeout: '365d',
  heartbeatTimeout: '30s',
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 10_000 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export async function sequence({ steps }: { steps: number }): Promise<void> {
  for (let i = 0; i < steps; i += 1) await command({});
}

export async function parallel({ steps }: { steps: number }): Promise<void> {
  await command({});
  await Promise.all(Array.from({ length: steps }, () => command({})));
}
