/** One run of many steps, and many runs of one. */
export const STEPS_CASE = 'steps-10000';
export const WAITING_CASE = 'waiting-2000';

export const STEPS = 10_000;
const IN_GROUP = 10;
/**
 * The compared stretches: equally many steps from the hundredth on, and up to the last. Each contains its share of the cost of new
 * executions.
 */
export const STRETCH = 3_000;
export const EARLY = { from: 100, to: 100 + STRETCH };
export const LATE = { from: STEPS - STRETCH, to: STEPS };

export const STEPS_PIPELINE = 'long';
export const WAITING_PIPELINE = 'waiting';
export const RUNS = 2_000;
/** The memory limit of the worker that the runs wait on, in MB. */
export const MEMORY_MB = 400;

/** Groups in progress together, so that the run does not take as long as ten thousand consecutive answers of the server. */
const LANES = 24;

/** Ten steps a group: commands, a loop, branches, agents, a review, a notification. */
export function longPipeline(): string {
  const head = `name: ${STEPS_PIPELINE}\nlimits: {concurrent: 64}\nagents: {writer: {role: Writes.}, reviewer: {role: Reviews.}}\nsteps:\n`;
  return head + Array.from({ length: STEPS / IN_GROUP }, (_, n) => group(n)).join('');
}

function group(n: number): string {
  const begin = n < LANES ? '' : `needs: [${LAST_OF_GROUP}${n - LANES}], `;
  return `  - {id: list${n}, ${begin}run: list, timeout: 30s}
  - {id: each${n}, needs: [list${n}], for_each: $list${n}.json, max_concurrent: 4, steps: [{id: put${n}, run: "put \${index}"}]}
  - {id: draft${n}, needs: [each${n}], agent: writer, prompt: "From \${list${n}}.", retry: {max: 3, delay: 1s}}
  - id: both${n}
    needs: [draft${n}]
    parallel: {branches: [{id: left${n}, run: left}, {id: right${n}, agent: writer, prompt: "\${draft${n}}"}]}
  - {id: look${n}, needs: [both${n}], type: review, agent: reviewer, of: draft${n}, on_revise: "retry(draft${n}, max=2)"}
  - {id: save${n}, needs: [look${n}], run: save}
  - {id: ${LAST_OF_GROUP}${n}, needs: [save${n}], notify: {channel: "#news", message: Out.}}
`;
}

const LAST_OF_GROUP = 'announce';
const LAST_STEP = new RegExp(`^${LAST_OF_GROUP}(\\d+)#`);

/** How many steps come after a step's activity, by its address; undefined except for the last one of each group. */
export function stepsBehind(address: string): number | undefined {
  const found = LAST_STEP.exec(address);
  return found ? (Number(found[1]) + 1) * IN_GROUP : undefined;
}
