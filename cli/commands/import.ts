import { resolve } from 'node:path';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { asFailure } from '../exporting/export-failure';
import { importRun } from '../importing/import-run';
import { withSession } from '../session/with-session';
import { keyRingOfSettings } from '../settings/key-ring';
import { recordsOf, storeOptions } from '../settings/records';
import { transferOf } from './store-copy';

/** Puts a run that another installation has exported among the runs that have ended here. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const folder = resolve(terminal.cwd, args[0] ?? '');
  return withSession(invocation, { need: 'server', begins: true }, async ({ client, configuration }) => {
    const store = transferOf(storeOptions(configuration));
    try {
      const ring = keyRingOfSettings(configuration);
      const isOpenFolder = configuration.store.value === undefined && configuration.encryption.value?.folder === false;
      const keys = isOpenFolder ? ring.readOnly() : ring;
      const target = { client, records: recordsOf(configuration), store, keys };
      const { manifest, isNew } = await importRun(folder, target, new Date()).catch(asFailure);
      const { run, state, exportedAt } = manifest;
      const done = isNew ? `${terminal.colors.green('✓')} imported ${run}` : `${run} has been imported before`;
      if (options.flag('json')) terminal.out(`${JSON.stringify({ run, state, exportedAt, isNew }, null, 2)}\n`);
      else terminal.out(`${done}: look at it with: thermidor status ${run}\n`);
      return EXIT.done;
    } finally {
      await store.close();
    }
  });
}
