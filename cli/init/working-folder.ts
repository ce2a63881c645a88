/** A folder to begin with, as `init` writes it. */
export interface WorkingFolder {
  /** The name of its pipeline. */
  pipeline: string;
  /** Files by path within the folder, without `thermidor.yaml`. */
  files: Readonly<Record<string, string>>;
  /** The part of `thermidor.yaml` that the pipeline needs, as written there. */
  settings?: string;
  /** The commands to type in the folder, in this order. */
  commands: readonly string[];
}
