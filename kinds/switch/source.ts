export interface SwitchSourceOf<S> {
  kind: 'switch';
  /** In order; the default is the last, and alone without a condition. */
  branches: S[];
}
