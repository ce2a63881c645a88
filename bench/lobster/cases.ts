/** The cases of `thermidor lobster run`: 100 steps that do nothing, so that only our own cost is left. */
export interface LobsterCase {
  name: string;
  /** `cold`: the call starts server and worker itself; `warm`: `thermidor up` is running. */
  server: 'cold' | 'warm';
  /** The most that a call may take beyond the start of its process, in seconds. */
  budgetS: number;
}

export const STEPS = 100;
const WORK_S = 1;

export const LOBSTER_CASES: readonly LobsterCase[] = [
  { name: 'true-100-warm', server: 'warm', budgetS: WORK_S + 0.6 },
  { name: 'true-100-cold', server: 'cold', budgetS: WORK_S + 2.5 },
];

export function workflowText(): string {
  return `${JSON.stringify({ steps: Array.from({ length: STEPS }, (_, i) => ({ id: `s${i + 1}`, run: 'true' })) }, null, 1)}\n`;
}
