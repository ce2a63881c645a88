/**
 * Where every setting comes from, weakest first: defaults, `thermidor.yaml` (searched upwards), the standard Temporal
 * settings (profile, then environment), `THERMIDOR_*`, flags.
 *
 * Invariants: 1. each value carries the name of its source, for `thermidor doctor`; 2. an empty environment variable is
 * unset; 3. an unknown key in `thermidor.yaml` is an error, never skipped.
 */
export interface Setting<T> {
  value: T;
  source: string;
}

export interface ProcessSurroundings {
  cwd: string;
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
}
