import { ThermidorFailure } from '../../plan/run/failure';

export function folderGone(stateDir: string): ThermidorFailure {
  return new ThermidorFailure(
    'store.unavailable',
    `the state folder ${stateDir} was deleted or moved while it was in use; restore it, or start from scratch`,
    { path: stateDir, reason: 'LOST' },
  );
}
