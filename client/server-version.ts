import type { ThermidorClient } from './connect';

/** The oldest Temporal server that the tests run with: what an older one lacks is not known. */
export const TESTED_SERVER = '1.32';

/** Empty if it does not say. Fails as every request. */
export async function serverVersion(client: ThermidorClient): Promise<string> {
  const { serverVersion: said } = await client.call(() => client.temporal.workflowService.getSystemInfo({}));
  return said ?? '';
}

export function isUntested(version: string): boolean {
  return version.localeCompare(TESTED_SERVER, 'en', { numeric: true }) < 0;
}
