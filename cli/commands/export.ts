import { resolve } from 'node:path';
import { findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import type { ExportManifest } from '../../records/exports/export-manifest';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { asFailure } from '../exporting/export-failure';
import { exportRun } from '../exporting/export-run';
import { bytes } from '../rendering/text/usage';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';

/** Writes all that is known of a run into a folder, with a page that shows it. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const folder = resolve(terminal.cwd, args[1] ?? '');
  return withSession(invocation, 'answers', async ({ client, configuration }) => {
    const { run } = await findRun(client, args[0]);
    const source = { client, records: recordsOf(configuration), env: terminal.env };
    const warn = (line: string): void => terminal.err(`${terminal.colors.yellow('!')} ${line}\n`);
    const order = { run, folder, unmasked: options.flag('unmasked'), at: new Date(), warn };
    const manifest = await exportRun(source, order).catch(asFailure);
    if (configuration.encryption.value !== undefined) warn(`${folder} is not encrypted: anybody who has it can read it`);
    terminal.out(options.flag('json') ? `${JSON.stringify(documentOf(manifest, folder), null, 2)}\n` : textOf(manifest, folder, terminal));
    return EXIT.done;
  });
}

function documentOf({ run, state, exportedAt, files, missing }: ExportManifest, folder: string) {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  return { run, state, exportedAt, folder, page: resolve(folder, 'index.html'), files: files.length, sizeBytes, missing };
}

function textOf(manifest: ExportManifest, folder: string, { colors }: Terminal): string {
  const { run, state, files, sizeBytes, page } = documentOf(manifest, folder);
  const open = hasEnded(state) ? '' : `${run} has not ended: this is how it is now, ${state}\n`;
  return `${colors.green('✓')} exported ${run}: ${files} files, ${bytes(sizeBytes)}, in ${folder}\n${open}see it in a browser: ${page}\n`;
}
