import type { KeyRing } from '../../records/sealing/key-ring';
import { KeyProblem, keyRingOf } from '../../worker/key-ring';
import { relativePath } from '../relative-path';
import type { Configuration } from './configuration';
import { settingsMistake } from './settings-file';

/** The keys of the settings. Fails with `settings.invalid` at the key that is missing or wrong. */
export function keyRingOfSettings({ encryption, root }: Pick<Configuration, 'encryption' | 'root'>): KeyRing {
  try {
    return keyRingOf(encryption.value);
  } catch (error) {
    if (!(error instanceof KeyProblem)) throw error;
    const { key, says, hint } = error;
    const path = `encryption.keys.${key}`;
    throw settingsMistake(encryption.source, relativePath(encryption.source, root), { path, says: `"${path}" ${says}`, hint });
  }
}
