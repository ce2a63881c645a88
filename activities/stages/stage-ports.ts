import type { CommandRequest, HttpClient, ProcessRunner, TextFiles } from '../ports';
import type { CheckedBy } from '../schemas/schema-check';
import type { Item } from './items/item';

/** The outside that a pipe may use. */
export interface StagePorts extends CheckedBy {
  processes: ProcessRunner;
  http: HttpClient;
  files: TextFiles;
  /** The output of `workflows.list`. */
  workflows(): Promise<Item[]>;
  /** The environment for the stages themselves. */
  environment: Readonly<Record<string, string>>;
  /** The environment for their commands. */
  commandEnvironment: Pick<CommandRequest, 'inherit' | 'env'>;
  /** The folder of commands. Absent: that of the process. */
  cwd?: string;
  /** The folder of relative file names. Absent: that of the process. */
  filesFrom?: string;
  /** Aborted when the pipe must end; the pipe fails with its reason. */
  signal: AbortSignal;
  nowMs(): number;
  /** The limit of what one stage outputs or keeps. */
  limitBytes: number;
  /**
   * Does work with an effect once: a repeated call with that name gets the first result without doing it. The name is unique within the
   * pipe.
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T>;
}
