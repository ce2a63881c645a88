export interface SwitchSourceOf<S> {
  kind: 'switch';
  /** In order; the default is the last, and the only one without a condition. */
  branches: S[];
}
