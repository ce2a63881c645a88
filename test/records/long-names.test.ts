import { EnvironmentFiles } from '../../records/directory/environment-files';
import { fileName } from '../../records/directory/file-name';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { wholeText } from '../../records/directory/long-names';
import { RunFolders } from '../../records/directory/run-folders';
import { stateLayout } from '../../records/directory/state-layout';
import { codeOf } from '../activities/workshop';
import { scratchFolder } from '../support/scratch-folder';

const LONG = `${'Review'.repeat(60)}/x`;

test('a name that is too long for a file is kept whole, by whatever writes the first', async () => {
  const root = scratchFolder();
  const { ledger: store, environments } = stateLayout(root);
  const ledger = new LedgerFiles(root);
  const run = { workflowId: `w${LONG}`, run: 'r' };
  await ledger.putIfAbsent(run, `record${LONG}`, 1);
  await ledger.append(run, `log${LONG}`, 1);
  await (await ledger.recordLog(run, `effects${LONG}`)).close();
  await new EnvironmentFiles(root).write(run.workflowId, { env: {} });
  for (const name of [run.workflowId, `record${LONG}`, `log${LONG}`, `effects${LONG}`, 'short']) {
    expect(await wholeText(store, fileName(name))).toBe(name);
  }
  expect(await wholeText(environments, fileName(run.workflowId))).toBe(run.workflowId);
  expect(await codeOf(wholeText(store, fileName(LONG)))).toBe('store.unavailable');
  expect(await new RunFolders(root).list()).toEqual([expect.objectContaining({ run: 'r' })]);
});
