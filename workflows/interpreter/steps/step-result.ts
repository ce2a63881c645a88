/** `settled`: the step's round is over, sent back, or the run has ended. `again`: the step is to be tried once more. */
export type StepResult = 'settled' | 'again';
