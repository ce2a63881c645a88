/** A pipeline that runs once with its records in a folder and once in a database, by the same script. */
export interface StoreCase {
  /** Also the pipeline's name. */
  name: string;
  /** The most that it may take on a database, in units of what it takes on a folder. */
  aim: number;
  pipeline: string;
  /** Its agents answer as in the script `clerk`. */
  isScripted?: true;
}

/** The name of the script in which the agent of `agents-300` answers. */
export const SCRIPT = 'clerk';

const AT_ONCE = 300;
const CLERK = 'agents:\n  clerk: {role: You answer., adapter: scripted}\n';

export const STORE_CASES: readonly StoreCase[] = [
  { name: 'commands-300', aim: 1.5, pipeline: atOnce('commands-300', AT_ONCE, 'run: "true"') },
  { name: 'agents-300', aim: 1.5, pipeline: atOnce('agents-300', AT_ONCE, 'agent: clerk') + CLERK, isScripted: true },
  { name: 'chained-1000', aim: 3, pipeline: chained('chained-1000', 1000) },
];

/** Run before the others and not measured: it creates the database and loads code. */
export const WARM_UP: StoreCase = { name: 'warm-up', aim: 1, pipeline: atOnce('warm-up', 10, 'run: "true"') };

export function scriptText(): string {
  return `replies:\n${Array.from({ length: AT_ONCE }, (_, n) => `  s${n + 1}: [{text: done}]\n`).join('')}`;
}

/** Each step is an activity of its own. */
function atOnce(name: string, steps: number, work: string): string {
  const lines = Array.from({ length: steps }, (_, n) => `  - {id: s${n + 1}, ${work}, depends_on: [first]}\n`);
  return `name: ${name}\nlimits: {concurrent: 64}\nsteps:\n  - {id: first, run: "true"}\n${lines.join('')}`;
}

/** The commands are one activity. */
function chained(name: string, steps: number): string {
  return `name: ${name}\nsteps:\n${Array.from({ length: steps }, (_, n) => `  - {id: s${n + 1}, run: "true"}\n`).join('')}`;
}
