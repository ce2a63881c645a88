import type { CommandRequest, HttpClient, ProcessRunner, TextFiles } from '../ports';
import type { CheckedBy } from '../schemas/schema-check';
import type { Item } from './items/item';

/** What a pipe may use of the outside. */
export interface StagePorts extends CheckedBy {
  processes: ProcessRunner;
  http: HttpClient;
  files: TextFiles;
  /** What `workflows.list` outputs. */
  workflows(): Promise<Item[]>;
  /** What the stages themselves read of the environment. */
  environment: Readonly<Record<string, string>>;
  /** What their commands see of it. */
  commandEnvironment: Pick<CommandRequest, 'inherit' | 'env'>;
  /** Where commands run. Absent: where the process does. */
  cwd?: string;
  /** Where relative names of files lead. Absent: from where the process runs. */
  filesFrom?: string;
  /** Aborted when the pipe shall end; its reason is what the pipe fails with. */
  signal: AbortSignal;
  nowMs(): number;
  /** Of what one stage outputs or keeps. */
  limitBytes: number;
  /**
   * Does work with an effect once: what it gave before under that name gets again without doing it. The name is
   * unique within the pipe.
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T>;
}
