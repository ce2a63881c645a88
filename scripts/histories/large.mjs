// A run whose plan and state are too large to enter history as they are: both come packed, the state again in each execution.
const STEPS = 1000;

const LARGE = `name: large
steps:
${Array.from({ length: STEPS }, (_, i) => `  - {id: a-name-so-long-that-a-thousand-make-a-large-plan-${i}, run: "true"}`).join('\n')}
`;

export const LARGE_CASES = [
  { name: '055-plan-and-state-packed', eventsLimit: 40, pipeline: { name: 'large', source: LARGE }, ends: 'COMPLETED' },
];
