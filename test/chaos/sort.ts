import type { RunState } from '../../plan/run/status';

/** A sort of run that the chaos is full of: what it does, how it ends, and the effects that it leaves in the file that no host owns. */
export interface Sort {
  /** Started by another one. */
  isChild?: boolean;
  pipeline: object;
  /** What agents say. A script is a run's own, for the programs that it calls name the run. */
  script?: (run: string, effect: Effect) => object;
  /** By the word of its line: the step that makes it, as the journal names it. */
  effects: Readonly<Record<string, string>>;
  /**
   * Those of programs that agents call, which are never called again for a call that was lost, unless what it wrote is lost, too (`lands`).
   */
  ofAgents?: Readonly<Record<string, string>>;
  /** Those of work that never ends by itself and is cut short: each may be missing. */
  cutShort?: Readonly<Record<string, string>>;
  /** The files that are in `main` afterwards: `RUN-NAME.txt` for each name. */
  lands?: readonly string[];
  /** The paths of steps that start children which have effects, as their ids have them. */
  children?: readonly string[];
  /** What people do with a run once it is at work: they cancel it, or pause it and continue it a little later. */
  order?: 'cancel' | 'pause';
  /** How many questions to people there are in all, each answered by `answers`. */
  decisions: number;
  /** Whether people are asked about tasks that were lost too often, too. */
  mayAsk?: boolean;
  /** By the end of a gate's step. Every other gate is approved. */
  answers?: Readonly<Record<string, string>>;
  ends: RunState;
}

/** A shell command that takes a moment and then adds the line to the file of effects. */
export type Effect = (word: string) => string;

/** What an agent's program does for a run. */
export const effectOf =
  (run: string, file: string): Effect =>
  (word) =>
    `sleep 0.1; echo "${run} ${word}" >> '${file}'`;

/** A reference of the pipeline's, and not of a template here. */
export const ref = (name: string): string => `\${${name}}`;
export const args = { n: { type: 'string' } };
export const tools = ['run'];
export const shell = (...lines: string[]): object => ({ tool: 'run', args: { argv: ['sh', '-c', lines.join('; ')] } });

export const REPOSITORY_TEST = '! grep -l bad *.txt';
