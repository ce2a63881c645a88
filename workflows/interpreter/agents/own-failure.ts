import type { FailureCode } from '../../../plan/run/failure';

/** Whether an agent has failed of something that another attempt of its own may do better, and no worker, budget or repository is to blame. */
export function isAgentsOwn(code: FailureCode): boolean {
  return AGENTS_OWN.test(code);
}

const AGENTS_OWN =
  /^(agent\.(timeout|stuck|failed|turns-used-up|overstepped)|reply\.|model\.(api-error|overloaded|refused|context-length))/;
