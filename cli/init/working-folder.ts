/** A folder to begin with, as `init` writes it. */
export interface WorkingFolder {
  /** The name of its pipeline. */
  pipeline: string;
  /** By path within the folder, without `thermidor.yaml`. */
  files: Readonly<Record<string, string>>;
  /** What the pipeline needs in `thermidor.yaml`, as it is written there. */
  settings?: string;
  /** To be typed in the folder, in this order. */
  commands: readonly string[];
}
