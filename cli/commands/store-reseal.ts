import { resealStore } from '../../records/transfer/reseal-store';
import { PART_KINDS } from '../../records/transfer/store-part';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { keyRingOfSettings } from '../settings/key-ring';
import { storeOptions } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { PART_NAMES, requireUnused, transferOf } from './store-copy';

/** Histories are the server's, and never change. */
const NOT_REACHED = 'histories and schedules at the server, backups, and what was never sealed';

/**
 * Seals the store anew with the key of `encryption.use`. Fails with `store.copy-refused` if somebody uses the store, with
 * `encryption.key-missing`, `store.unavailable`, `artifact.missing`.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const ring = keyRingOfSettings(configuration);
  const { encryption } = configuration;
  if (encryption.value === undefined) throw usage('there is no key to seal with', 'write `encryption:` in thermidor.yaml');
  const from = storeOptions(configuration);
  if (from.store === undefined && encryption.value.folder === false) {
    throw usage('the content of the state folder is not sealed', 'take `folder: false` out of `encryption:`');
  }
  requireUnused(from.store ?? from.stateDir, from);
  const store = transferOf(from);
  try {
    await store.check('from');
    const hosts = await store.hostsAtWork();
    if (hosts.length > 0) {
      throw new CommandFailure(EXIT.failed, 'store.copy-refused', `workers use ${store.shown} on ${hosts.join(', ')}`, {
        hint: 'stop them',
      });
    }
    const { unopened, ...written } = await resealStore(store, ring);
    const { use } = encryption.value;
    if (options.flag('json')) {
      terminal.out(`${JSON.stringify({ store: store.shown, use, written, unopened, notReached: NOT_REACHED }, null, 2)}\n`);
    } else {
      const parts = PART_KINDS.filter((kind) => written[kind] > 0).map((kind) => `${written[kind]} ${PART_NAMES[kind]}`);
      const done = parts.length === 0 ? 'nothing' : parts.join(', ');
      terminal.out(`${terminal.colors.green('✓')} ${store.shown} is sealed with "${use}": ${done}\nnot reached: ${NOT_REACHED}\n`);
      if (unopened > 0) terminal.out(`left as they are, because no key opens them: ${unopened} lines of logs of steps\n`);
    }
    return EXIT.done;
  } finally {
    await store.close();
  }
}
