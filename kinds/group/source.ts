export interface GroupSourceOf<S> {
  kind: 'group';
  steps: S[];
}
