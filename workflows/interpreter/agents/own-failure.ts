import type { FailureCode } from '../../../plan/run/failure';

/** Whether an agent's failure is its own, so that another attempt may do better: no worker, budget or repository is to blame. */
export function isAgentsOwn(code: FailureCode): boolean {
  return AGENTS_OWN.test(code);
}

const AGENTS_OWN =
  /^(agent\.(timeout|stuck|failed|turns-used-up|overstepped)|reply\.|model\.(api-error|overloaded|refused|context-length))/;
