// A run whose plan and state are too large to enter history: both are packed, the state again in each execution.
const STEPS = 1000;

const LARGE = `name: large
steps:
${Array.from({ length: STEPS }, (_, i) => `  - {id: a-name-so-long-that-a-thousand-make-a-large-plan-${i}, run: "true"}`).join('\n')}
`;

export const LARGE_CASES = [
  {
    name: 'plan-and-state-packed',
    guards: 'a plan and a state that are packed into parts, over several executions',
    eventsLimit: 40,
    pipeline: { name: 'large', source: LARGE },
    ends: 'COMPLETED',
  },
];
