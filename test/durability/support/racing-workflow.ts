import { CancellationScope, defineQuery, proxyLocalActivities, setHandler, sleep } from '@temporalio/workflow';

const { short } = proxyLocalActivities<{ short(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** Cancels a timer by the result of the local activity next to which it has begun, again and again. */
export async function racing(): Promise<void> {
  setHandler(defineQuery<boolean>('ask'), () => true);
  for (let round = 0; round < 12; round++) {
    const scope = new CancellationScope();
    const result = short();
    const timer = scope.run(() => sleep('1 minute')).catch(() => undefined);
    await result;
    scope.cancel();
    await timer;
    await short();
    await sleep(1);
  }
}
