/** The cases with many runs waiting at their gates while `thermidor up` runs. */
export interface WaitingCase {
  name: string;
  /** The words of the command line; `RUN` means a run that waits. */
  words: readonly string[];
}

export const RUNS = 500;
export const PIPELINE = 'waiting';

/** The most that a command may take beyond the client's own start-up, in seconds. */
export const BUDGET_S = 0.5;

export const WAITING_CASES: readonly WaitingCase[] = [
  { name: 'inbox-500', words: ['inbox', '--json'] },
  { name: 'list-500', words: ['list', '--waiting', '--limit', String(2 * RUNS), '--json'] },
  { name: 'approve-500', words: ['approve', 'RUN', '--by', 'chairman', '--detach', '--json'] },
];

/** Measured once, last: nothing waits after it. */
export const APPROVE_ALL = 'approve-all-500';
export const APPROVE_ALL_WORDS = ['approve', '--all', '--pipeline', PIPELINE, '--by', 'chairman', '--detach', '--json'] as const;

/** One gate and nothing else, so that only our own cost is left. */
export function pipelineText(): string {
  return `name: ${PIPELINE}\nsteps:\n  - id: ask\n    type: approval\n    prompt: Shall it go on?\n    approvers: anyone\n`;
}
