/** A command whose start is measured. */
export interface StartCase {
  name: string;
  words: readonly string[];
  /**
   * `warm`: `thermidor up` runs in the same folder. `cold`: the command starts the embedded server and a worker, and stops both. `none`: it
   * needs neither.
   */
  server: 'none' | 'warm' | 'cold';
  /** The most that it may take, in starts of Node alone. null: it explains others. */
  aim: number | null;
}

export const PIPELINE_FILE = 'one.yaml';
export const PIPELINE = `name: one
steps:
  - {id: greet, run: echo hello}
`;

/** On a quiet machine Node starts in 60 ms: 2.0 s cold and 0.6 s warm. */
export const START_CASES: readonly StartCase[] = [
  { name: 'version', words: ['--version'], server: 'none', aim: null },
  { name: 'validate', words: ['validate', PIPELINE_FILE], server: 'none', aim: null },
  { name: 'status-warm', words: ['status', 'RUN'], server: 'warm', aim: null },
  { name: 'run-warm', words: ['run', PIPELINE_FILE], server: 'warm', aim: 10 },
  { name: 'run-cold', words: ['run', PIPELINE_FILE], server: 'cold', aim: 33 },
];
